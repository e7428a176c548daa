import type { AdvisoryFolder, GrpcClient, ModelProject } from '@bomtrail/reference-model';
import type { Draw } from '@bomtrail/testkit';
import type { Witness } from '../witness';
import type { Caller } from './caller';
import type { createDocuments } from './documents';

/** A project as it was acknowledged. */
export interface DrivenProject {
  id: string;
  /** Also in the names of its packages, which no other project has. */
  name: string;
  model: ModelProject;
  /** SHA-256 of the documents by the ids of their SBOMs. */
  digests: Map<string, string>;
  /** Uploads that were not yet seen as scanned. */
  pending: Set<string>;
  /** What was there and was deleted. */
  goneSboms: Set<string>;
  goneServices: Set<string>;
  isDeleted: boolean;
}

/** Dependencies of an action. */
export interface LoadContext {
  caller: Caller;
  grpc: GrpcClient;
  folder: AdvisoryFolder;
  witness: Witness;
  document: ReturnType<typeof createDocuments>;
  draw: Draw;
  project: DrivenProject;
}

export const services = ['shop', 'tools', 'jobs', null];
const versions = ['1.0.0', '9.0.0', '10.0.0'];

/** The packages, `name@version`, that the documents and the advisories of a project are about. */
export function componentsOf(project: DrivenProject): string[] {
  return ['p', 'q'].flatMap((one) => versions.map((at) => `${project.name}-${one}@${at}`));
}

export function emptyProject(id: string, name: string): DrivenProject {
  return {
    id,
    name,
    model: { advisories: [], sboms: [], acceptances: [] },
    digests: new Map(),
    pending: new Set(),
    goneSboms: new Set(),
    goneServices: new Set(),
    isDeleted: false,
  };
}

export function pick<Element>(draw: Draw, list: readonly Element[]): Element | undefined {
  return list[draw(list.length)];
}
