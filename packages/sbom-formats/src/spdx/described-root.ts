import type { SpdxDocument } from './spdx-document';

/** SPDX 2.3, clause 6.3: every document has this id, but some tools write another one. */
const DOCUMENT_ID = 'SPDXRef-DOCUMENT';

/** `DESCRIBE` is not in the specification; widely used tools wrote it for years. */
const DESCRIBES: ReadonlySet<string> = new Set(['DESCRIBES', 'DESCRIBE']);

/** Ids of the elements that a document describes: packages, files or others. */
export function describedIds(document: SpdxDocument): Set<string> {
  const described = new Set(document.documentDescribes);
  const documentIds = new Set([document.SPDXID, DOCUMENT_ID]);
  for (const relationship of document.relationships ?? []) {
    const { spdxElementId: from, relatedSpdxElement: to, relationshipType: type } = relationship;
    if (DESCRIBES.has(type) && documentIds.has(from)) described.add(to);
    if (type === 'DESCRIBED_BY' && documentIds.has(to)) described.add(from);
  }
  return described;
}
