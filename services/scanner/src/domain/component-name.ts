import { createHash } from 'node:crypto';
import { versionText, type PackageVersion } from '@bomtrail/osv';
import { normalisePypiName, packageIdentity, parsePurl } from '@bomtrail/purl';
import type { Component } from './component';

/**
 * A component as it can be searched for, where its package versions do not answer to its own name and
 * versions: it is none, it is known by its source package, or its purl says another version.
 */
export interface ComponentName {
  /** Digest of the rest. */
  _id: string;
  name: string;
  /** The purl without version and qualifiers; null without a purl. */
  identity: string | null;
  /** The document's, and the purl's where that is another one; `''` where there is none. */
  versions: string[];
}

const idBytes = 12;

/** Does a package version answer to this name? Case does not count; of PyPI's names the form neither. */
export function isTriggered(
  version: Pick<PackageVersion, 'ecosystem' | 'name'>,
  name: string,
): boolean {
  if (version.name === name || version.name.toLowerCase() === name.toLowerCase()) return true;
  return version.ecosystem === 'PyPI' && version.name === normalisePypiName(name);
}

/** Is a package version of this version, in the text of the document or of the comparer? */
export function isOfVersion(
  version: Pick<PackageVersion, 'ecosystem' | 'version'>,
  text: string,
): boolean {
  return version.version === text || version.version === versionText(version.ecosystem, text);
}

/**
 * What is noted of a component beside its package versions, so that every search by its own name,
 * purl and version finds it; null where one of them answers to all of that already.
 */
export function extraNameOf(
  component: Pick<Component, 'name' | 'version' | 'purl'>,
  located: readonly PackageVersion[],
): ComponentName | null {
  const { name, version, purl } = component;
  const parsed = purl === null ? null : parsePurl(purl);
  const versions = [...new Set([version, parsed?.version ?? version])];
  const handles = (one: PackageVersion): boolean =>
    isTriggered(one, name) && versions.every((text) => isOfVersion(one, text));
  if (located.some(handles)) return null;
  const identity = parsed && packageIdentity(parsed);
  const key = createHash('sha256')
    .update(JSON.stringify([identity, name, versions]))
    .digest();
  return { _id: key.toString('base64url', 0, idBytes), name, identity, versions };
}
