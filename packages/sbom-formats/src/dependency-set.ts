// Node 20 has String.prototype.isWellFormed and toWellFormed, which ES2023 did not yet.
/// <reference lib="es2024.string" />
import { createHash } from 'node:crypto';

import { joinLicences } from './licence-expression';
import type { Dependency } from './normalised-sbom';

/** Entries hashed at a time, to avoid a second copy of a large document. */
const LINES_PER_UPDATE = 4096;

/**
 * Canonical form of a document's dependencies: sorted by name, version and purl, duplicates merged.
 * Lone surrogates, which UTF-8 cannot encode, are replaced (U+FFFD), so that the stored bytes are
 * those that were hashed. The result does not depend on the input order: several licences all apply,
 * of several types the smallest is used, and a dependency is direct when one of its entries is.
 */
export function canonicalDependencies(entries: readonly Dependency[]): Dependency[] {
  const sorted = entries
    .map(withWellFormedText)
    .sort((one, other) => compareIdentity(one, other) || compareText(one.license, other.license));
  const unique: Dependency[] = [];
  const licences = new Map<number, string[]>();
  for (const entry of sorted) {
    const last = unique.at(-1);
    if (last === undefined || compareIdentity(last, entry) !== 0) unique.push(entry);
    else {
      const at = unique.length - 1;
      const before = licences.get(at) ?? stated(last.license);
      before.push(...stated(entry.license));
      licences.set(at, before);
      unique[at] = merge(last, entry);
    }
  }
  for (const [at, all] of licences)
    unique[at] = { ...(unique[at] as Dependency), license: joinLicences(all) };
  return unique;
}

function stated(license: string | null): string[] {
  return license === null ? [] : [license];
}

/**
 * Lower-case hex SHA-256 over every field of the dependencies and roots, in the given order.
 * Without roots it is that of the dependencies alone.
 */
export function digestOf(
  dependencies: readonly Dependency[],
  roots: readonly Dependency[] = [],
): string {
  const hash = createHash('sha256');
  for (let start = 0; start < dependencies.length; start += LINES_PER_UPDATE)
    hash.update(
      dependencies
        .slice(start, start + LINES_PER_UPDATE)
        .map(digestLine)
        .join(''),
    );
  for (const root of roots) hash.update(`root ${digestLine(root)}`);
  return hash.digest('hex');
}

/** Without a source package the digest equals that of versions without this field. */
function digestLine(entry: Dependency): string {
  const { name, version, purl, type, license, is_direct, source_package: source } = entry;
  const fields = [name, version, purl, type, license, is_direct];
  return `${JSON.stringify(source === undefined ? fields : [...fields, source])}\n`;
}

function compareIdentity(one: Dependency, other: Dependency): number {
  return (
    compareText(one.name, other.name) ||
    compareText(one.version, other.version) ||
    compareText(one.purl, other.purl)
  );
}

/** By UTF-16 code units, null first. */
function compareText(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  return one < other ? -1 : 1;
}

function merge(one: Dependency, other: Dependency): Dependency {
  const source = smaller(one.source_package ?? null, other.source_package ?? null);
  return {
    ...one,
    type: smaller(one.type, other.type),
    is_direct: one.is_direct || other.is_direct,
    ...(source === null ? {} : { source_package: source }),
  };
}

function smaller(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function withWellFormedText(entry: Dependency): Dependency {
  const { name, version, purl, type, license, source_package: source = null } = entry;
  const texts = [name, version, purl, type, license, source];
  if (texts.every((text) => text === null || text.isWellFormed())) return entry;
  return {
    name: name.toWellFormed(),
    version: version.toWellFormed(),
    purl: purl?.toWellFormed() ?? null,
    type: type?.toWellFormed() ?? null,
    license: license?.toWellFormed() ?? null,
    is_direct: entry.is_direct,
    ...(source === null ? {} : { source_package: source.toWellFormed() }),
  };
}
