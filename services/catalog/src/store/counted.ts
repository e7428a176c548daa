/**
 * How the number of a line's SBOMs moves. It goes where it was not known, or where a process of release
 * 1.0.1 has added an SBOM meanwhile: then the sweep counts.
 *
 * @param seq the newest sequence number from now on
 */
export function movedCount(by: number, seq: number | '$seq') {
  const isRight = { $eq: ['$counted.seq', '$seq'] };
  const moved = { sboms: { $add: ['$counted.sboms', by] }, seq };
  return { counted: { $cond: [isRight, moved, '$$REMOVE'] } };
}
