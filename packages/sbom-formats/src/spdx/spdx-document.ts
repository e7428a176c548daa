/** The parts of an SPDX 2.2 or 2.3 document that we read. A validated document has these shapes. */
export interface SpdxDocument {
  SPDXID: string;
  documentDescribes?: string[];
  packages?: SpdxPackage[];
  relationships?: SpdxRelationship[];
}

export interface SpdxPackage {
  SPDXID: string;
  name: string;
  versionInfo?: string;
  licenseConcluded?: string;
  licenseDeclared?: string;
  primaryPackagePurpose?: string;
  /** Free text; not in our schema, so of any type. */
  sourceInfo?: unknown;
  externalRefs?: { referenceType: string; referenceLocator: string }[];
}

export interface SpdxRelationship {
  spdxElementId: string;
  relatedSpdxElement: string;
  relationshipType: string;
}
