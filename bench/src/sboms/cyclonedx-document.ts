/** The parts of a CycloneDX document that variants touch; everything else is carried along as it is. */
export interface CycloneDxDocument {
  serialNumber?: string;
  metadata?: { timestamp?: string; [field: string]: unknown };
  components: CycloneDxComponent[];
  dependencies?: CycloneDxDependency[];
  [field: string]: unknown;
}

export interface CycloneDxComponent {
  'bom-ref'?: string;
  name: string;
  version?: string;
  purl?: string;
  [field: string]: unknown;
}

export interface CycloneDxDependency {
  ref: string;
  dependsOn?: string[];
  [field: string]: unknown;
}

/** The bytes that are uploaded: indented, as most tools write their documents. */
export function documentBytes(document: CycloneDxDocument): Buffer {
  return Buffer.from(JSON.stringify(document, null, 2));
}
