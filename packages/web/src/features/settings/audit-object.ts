import type { Schemas } from '../../api/client';

type Entry = Pick<Schemas['AuditEntry'], 'operation' | 'resources' | 'outcome'>;

/** What an entry is about: of several objects the narrowest, as the project stands beside it. */
const kinds = [
  'sbom_id',
  'import_id',
  'acceptance_id',
  'bulk_id',
  'rule_id',
  'alert_id',
  'vex_id',
  'api_key_id',
  'person_id',
  'vulnerability_id',
  'service_id',
] as const;
export type ObjectKind = (typeof kinds)[number];

export interface AuditObject {
  kind: ObjectKind;
  id: string;
  /** A deleted object has no view any more. */
  isGone: boolean;
}

/** Null if the entry names none but its project. */
export function auditObject({ operation, resources, outcome }: Entry): AuditObject | null {
  const kind = kinds.find((one) => resources[one] !== undefined);
  if (!kind) return null;
  const isGone = operation.startsWith('delete') && outcome === 'succeeded';
  return { kind, id: resources[kind] ?? '', isGone };
}

/** Ids of about the same time begin alike: their end tells them apart. */
export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}
