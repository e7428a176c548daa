import type { Ownership } from '@bomtrail/messages';
import { nameKeyOf } from './slug';

/** Owner and labels as a project or service stores them, with the keys that filters compare. */
export interface StoredOwnership {
  /** Absent: none. */
  owner?: string;
  owner_key?: string;
  /** Absent: none. */
  labels?: string[];
  label_keys?: string[];
}

/** The fields of `StoredOwnership`. */
export const ownershipFieldNames = ['owner', 'owner_key', 'labels', 'label_keys'] as const;

/** Changes of owner and labels: undefined removes a field. */
export type OwnershipChanges = {
  [Field in keyof StoredOwnership]: StoredOwnership[Field] | undefined;
};

/** What clients give; null clears, absent fields stay. */
export interface GivenOwnership {
  owner?: string | null | undefined;
  labels?: readonly string[] | null | undefined;
}

/** OW1, OW2: owner and labels are stored trimmed; equal labels (compared like names, N4) count once. */
export function ownershipChanges({ owner, labels }: GivenOwnership): OwnershipChanges {
  return {
    ...(owner === undefined ? {} : ownerChanges(owner?.trim() ?? '')),
    ...(labels === undefined ? {} : labelChanges(labels ?? [])),
  };
}

function ownerChanges(owner: string): OwnershipChanges {
  if (owner === '') return { owner: undefined, owner_key: undefined };
  return { owner, owner_key: nameKeyOf(owner) };
}

function labelChanges(given: readonly string[]): OwnershipChanges {
  const byKey = new Map<string, string>();
  for (const label of given.map((one) => one.trim()))
    if (label !== '' && !byKey.has(nameKeyOf(label))) byKey.set(nameKeyOf(label), label);
  if (byKey.size === 0) return { labels: undefined, label_keys: undefined };
  return { labels: [...byKey.values()], label_keys: [...byKey.keys()] };
}

/** The given fields alone, for a new document. */
export function storedOwnership(given: GivenOwnership): StoredOwnership {
  const fields = Object.entries(ownershipChanges(given)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as StoredOwnership;
}

export function ownershipView({ owner, labels }: StoredOwnership): Ownership {
  return { owner: owner ?? null, labels: labels ?? [] };
}

/** OW3: a service without an owner has its project's, and it has the labels of both. */
export function effectiveOwnership(
  service: StoredOwnership,
  project: StoredOwnership,
): StoredOwnership {
  const { owner, owner_key } = service.owner === undefined ? project : service;
  const labels = labelChanges([...(service.labels ?? []), ...(project.labels ?? [])]);
  return storedOwnership({ owner: owner_key && owner, labels: labels.labels });
}

/** The keys of a filter by owner and labels. */
export interface OwnershipKeys {
  owner_key?: string;
  /** OW6: with any owner (`true`) or without one. */
  has_owner?: boolean;
  label_keys?: string[];
}

/** Undefined: the filter names neither. */
export function ownershipKeys(filter: {
  owner?: string | undefined;
  has_owner?: boolean | undefined;
  labels?: readonly string[] | undefined;
}): OwnershipKeys | undefined {
  const { owner_key } = storedOwnership({ owner: filter.owner });
  const { label_keys } = storedOwnership({ labels: filter.labels });
  const { has_owner } = filter;
  const keys = { owner_key, has_owner, label_keys };
  const given = Object.entries(keys).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : (Object.fromEntries(given) as OwnershipKeys);
}

/** OW4, OW6: the owner is equal, or there is one as asked, and one of the labels is among those of the filter. */
export function isOwned(of: StoredOwnership, keys: OwnershipKeys): boolean {
  const { owner_key, has_owner, label_keys } = keys;
  const isOwner = owner_key === undefined || of.owner_key === owner_key;
  const isAny = has_owner === undefined || (of.owner_key !== undefined) === has_owner;
  return (
    isOwner && isAny && (!label_keys || label_keys.some((key) => of.label_keys?.includes(key)))
  );
}
