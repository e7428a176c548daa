import { createHash } from 'node:crypto';
import { versionText, type PackageVersion } from '@bomtrail/osv';
import { normalisePypiName, packageIdentity, parsePurl } from '@bomtrail/purl';
import type { Component } from './component';

/**
 * Search entry for a component that its package versions do not cover: it has none, it is known by
 * its source package, or its purl has another version.
 */
export interface ComponentName {
  /** Digest of the other fields. */
  _id: string;
  name: string;
  /** The purl without version and qualifiers; null without a purl. */
  identity: string | null;
  /** The version of the document and, if different, of the purl; `''` for none. */
  versions: string[];
}

const idBytes = 12;

/** Whether a package version has this name, ignoring case and, for PyPI, spelling. */
export function isNamed(
  version: Pick<PackageVersion, 'ecosystem' | 'name'>,
  name: string,
): boolean {
  if (version.name === name || version.name.toLowerCase() === name.toLowerCase()) return true;
  return version.ecosystem === 'PyPI' && version.name === normalisePypiName(name);
}

/** Whether a package version has this version, as written in the document or normalised. */
export function isOfVersion(
  version: Pick<PackageVersion, 'ecosystem' | 'version'>,
  text: string,
): boolean {
  return version.version === text || version.version === versionText(version.ecosystem, text);
}

/**
 * Returns the search entry of a component, null when one of its package versions already has its
 * name and versions.
 */
export function extraNameOf(
  component: Pick<Component, 'name' | 'version' | 'purl'>,
  located: readonly PackageVersion[],
): ComponentName | null {
  const { name, version, purl } = component;
  const parsed = purl === null ? null : parsePurl(purl);
  const versions = [...new Set([version, parsed?.version ?? version])];
  const handles = (one: PackageVersion): boolean =>
    isNamed(one, name) && versions.every((text) => isOfVersion(one, text));
  if (located.some(handles)) return null;
  const identity = parsed && packageIdentity(parsed);
  const key = createHash('sha256')
    .update(JSON.stringify([identity, name, versions]))
    .digest();
  return { _id: key.toString('base64url', 0, idBytes), name, identity, versions };
}
