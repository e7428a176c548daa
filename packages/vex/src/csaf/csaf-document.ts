/** CSAF 2.0 as validated by its schema: the fields that are used. */
export interface CsafDocument {
  document: {
    category: string;
    publisher: { name: string; namespace: string };
    tracking: {
      id: string;
      version: string;
      status: string;
      initial_release_date: string;
      current_release_date: string;
    };
  };
  product_tree?: CsafProductTree;
  vulnerabilities?: CsafVulnerability[];
}

export interface CsafProductTree {
  branches?: CsafBranch[];
  full_product_names?: CsafProductName[];
  relationships?: {
    category: string;
    product_reference: string;
    relates_to_product_reference: string;
    full_product_name: CsafProductName;
  }[];
  product_groups?: { group_id: string; product_ids: string[] }[];
}

export interface CsafBranch {
  category: string;
  name: string;
  product?: CsafProductName;
  branches?: CsafBranch[];
}

export interface CsafProductName {
  name: string;
  product_id: string;
  product_identification_helper?: {
    purl?: string;
    cpe?: string;
    hashes?: { filename: string; file_hashes: { algorithm: string; value: string }[] }[];
    x_generic_uris?: { uri: string }[];
  };
}

/** What names products: by id, by group, or (of some) neither. */
export interface CsafProductReference {
  product_ids?: string[];
  group_ids?: string[];
}

export interface CsafVulnerability {
  cve?: string;
  ids?: { text: string }[];
  product_status?: Record<string, string[]>;
  flags?: (CsafProductReference & { label: string })[];
  threats?: (CsafProductReference & { category: string; details: string })[];
  remediations?: (CsafProductReference & { category: string; details: string })[];
}
