import type { Remediation } from '@bomtrail/api-client';
import { packageIdentity, parsePurl } from '@bomtrail/purl';

/** Steps of a plan: all of a remediation, or those of its further step. */
export type Steps = { purls: string[]; upgrades: { from: string[]; to: string | null }[] };

/** The steps of a remediation with those of its further step in their place. */
export function furtherSteps({ purls, upgrades, major_step }: Remediation): Steps {
  return { purls, upgrades: [...(major_step?.upgrades ?? []), ...upgrades] };
}

/**
 * Applies upgrades to a document as its author would: every component of these packages and versions gets the
 * new version, in its purl, too. Any format: purls are found wherever they stand.
 */
export function applyUpgrades(document: Buffer, steps: Steps): Buffer {
  const targets = new Map<string, string>();
  for (const { from, to } of steps.upgrades)
    for (const version of from) if (to !== null && !targets.has(version)) targets.set(version, to);
  const raise = (text: string, ownVersion = ''): [string, string] | null => {
    const purl = parsePurl(text);
    if (!purl || !steps.purls.includes(packageIdentity(purl))) return null;
    const to = targets.get(purl.version ?? '') ?? targets.get(ownVersion);
    return to === undefined ? null : [withVersion(text, to), to];
  };
  const text = document.toString('utf8').replace(/^\ufeff/, '');
  const found = JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string')
      return value.startsWith('pkg:') ? (raise(value)?.[0] ?? value) : value;
    return value;
  }) as unknown;
  raiseVersions(JSON.parse(text) as unknown, found, raise);
  return Buffer.from(JSON.stringify(found));
}

type Raise = (text: string, ownVersion?: string) => [string, string] | null;

/** The version beside each raised purl; `before` is the same document as it was. */
function raiseVersions(before: unknown, after: unknown, raise: Raise): void {
  if (typeof before !== 'object' || before === null) return;
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  for (const key of Object.keys(was)) raiseVersions(was[key], is[key], raise);
  for (const name of ['version', 'versionInfo']) {
    const own = was[name];
    if (typeof own !== 'string') continue;
    for (const purl of purlsOf(was)) {
      const raised = raise(purl, own);
      if (raised) is[name] = raised[1];
    }
  }
}

/** The purls of a CycloneDX component or an SPDX package. */
function purlsOf({ purl, externalRefs }: Record<string, unknown>): string[] {
  const own = typeof purl === 'string' ? [purl] : [];
  const refs = Array.isArray(externalRefs) ? (externalRefs as Record<string, unknown>[]) : [];
  const locators = refs.map(({ referenceLocator }) => referenceLocator);
  return [...own, ...locators.filter((one) => typeof one === 'string')];
}

/** The purl with another version, also of the source package that it names. */
function withVersion(text: string, to: string): string {
  const [before = '', ...after] = text.split(/(?=[?#])/);
  const at = before.lastIndexOf('@');
  const hasVersion = at > before.lastIndexOf('/');
  const rest = after
    .join('')
    .replace(/(upstream=[^&#]*?)(?:%40|@)[^&#]*/, `$1%40${encodeURIComponent(to)}`);
  return `${hasVersion ? before.slice(0, at) : before}@${encodeURIComponent(to)}${rest}`;
}
