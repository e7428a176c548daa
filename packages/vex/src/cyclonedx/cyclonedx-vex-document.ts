/** A component: what names it. */
export interface CycloneDxVexComponent {
  name: string;
  version?: string;
  /** In place of a version, since 1.7. */
  versionRange?: string;
  purl?: string;
  'bom-ref'?: string;
  components?: CycloneDxVexComponent[];
  externalReferences?: { type: string; url: string }[];
}

/** A component that a vulnerability is about, and what is known of its versions. */
export interface CycloneDxAffected {
  ref: string;
  versions?: { version?: string; range?: string; status?: string }[];
}

/** A vulnerability, which is a statement if it has an `analysis`. */
export interface CycloneDxVulnerability {
  id?: string;
  references?: { id: string }[];
  published?: string;
  updated?: string;
  recommendation?: string;
  workaround?: string;
  analysis?: {
    state?: string;
    justification?: string;
    detail?: string;
    response?: string[];
    firstIssued?: string;
    lastUpdated?: string;
  };
  affects?: CycloneDxAffected[];
}

/** CycloneDX 1.4 to 1.7 as validated by its schema: the fields that are used. */
export interface CycloneDxVex {
  serialNumber?: string;
  version?: number;
  metadata?: {
    timestamp?: string;
    component?: CycloneDxVexComponent;
    authors?: { name?: string }[];
    supplier?: { name?: string };
    manufacturer?: { name?: string };
    manufacture?: { name?: string };
  };
  components?: CycloneDxVexComponent[];
  vulnerabilities?: CycloneDxVulnerability[];
}
