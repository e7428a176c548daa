/** OpenVEX as validated by the schemas: 0.2.0, or 0.0.1 where texts stand for objects. */
export interface OpenVexDocument {
  '@context': string;
  '@id': string;
  author: string;
  timestamp?: string;
  last_updated?: string;
  version?: string | number;
  statements: OpenVexStatement[];
}

export interface OpenVexStatement {
  vulnerability: string | { '@id'?: string; name: string; aliases?: string[] };
  timestamp?: string;
  last_updated?: string;
  products?: (string | OpenVexProduct)[];
  /** 0.0.1 only: parts of all products. */
  subcomponents?: string[];
  status: string;
  status_notes?: string;
  justification?: string;
  impact_statement?: string;
  action_statement?: string;
}

export interface OpenVexComponent {
  '@id'?: string;
  identifiers?: Record<string, string>;
  hashes?: Record<string, string>;
}

export interface OpenVexProduct extends OpenVexComponent {
  subcomponents?: OpenVexComponent[];
}
