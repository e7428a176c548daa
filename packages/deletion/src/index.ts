export { garbageGraceSeconds, garbageSweepSeconds } from './garbage-settings';
export { createKnownProjects, type KnownProjectDocument } from './known-projects';
export {
  markIndex,
  createMarks,
  unmarked,
  type Markable,
  type MarkedDocument,
  type MarkStore,
} from './marks';
