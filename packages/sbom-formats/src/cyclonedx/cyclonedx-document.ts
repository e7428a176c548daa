/**
 * The fields of a CycloneDX document that are used, as declared by its JSON schema (1.2 to 1.7).
 */
export interface CycloneDxDocument {
  metadata?: { component?: CycloneDxComponent };
  components?: CycloneDxComponent[];
  dependencies?: { ref: string; dependsOn?: string[] }[];
}

export interface CycloneDxComponent {
  type: string;
  name: string;
  group?: string;
  version?: string;
  purl?: string;
  'bom-ref'?: string;
  licenses?: CycloneDxLicence[];
  components?: CycloneDxComponent[];
  /** Not part of 1.2, so of any type. */
  properties?: unknown;
}

export interface CycloneDxLicence {
  license?: { id?: string; name?: string };
  expression?: string;
}
