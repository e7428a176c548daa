/** The JSON Schema and vendor keywords of the contract; `openapi.yaml` explains the latter. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  contentMediaType?: string;
  writeOnly?: boolean;
  'x-trim'?: boolean;
  'x-when-empty'?: 'omit' | 'null';
  'x-when-blank'?: 'omit';
  [keyword: string]: unknown;
}

/** Bounds the response. */
const maxNames = 20;
/** A mistyped name is recognised by its beginning. */
const maxNameLength = 100;

/** Names of undeclared parameters or fields, bounded in number and length; none of what is not an object. */
export function unknownNames({ properties = {} }: Schema, raw: unknown): string[] {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return [];
  return Object.keys(raw)
    .filter((name) => !Object.hasOwn(properties, name))
    .slice(0, maxNames)
    .map((name) => [...name].slice(0, maxNameLength).join(''));
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface MediaTypes {
  [mediaType: string]: { schema: Schema; examples?: Record<string, { value: unknown }> };
}

export interface HeaderObject {
  required?: boolean;
  schema: Schema;
  'x-additive'?: boolean;
}

export interface ResponseObject {
  headers?: Record<string, HeaderObject>;
  content?: MediaTypes;
  'x-additive'?: boolean;
}

export interface OperationObject {
  operationId: string;
  parameters?: ParameterObject[];
  requestBody?: { required?: boolean; content: MediaTypes };
  responses: Record<string, ResponseObject>;
  security?: object[];
  deprecated?: boolean;
  'x-removal-date'?: string;
  /** Exactly one of these query parameters is required. */
  'x-exactly-one-of'?: string[];
  'x-additive'?: boolean;
  /** A request with a body that changes nothing. */
  'x-read-only'?: boolean;
}

/** The contract with every `$ref` resolved. */
export interface ResolvedDocument {
  info: { version: string };
  security?: object[];
  paths: Record<string, Record<string, OperationObject> & { parameters?: ParameterObject[] }>;
  servers?: { url: string }[];
  components: {
    schemas: Record<string, Schema>;
    securitySchemes?: Record<string, Record<string, unknown>>;
  };
  /** Responses outside of operations, by status. */
  'x-other-responses'?: Record<string, ResponseObject>;
}
