import { gunzipSync } from 'node:zlib';
import {
  maxLicensesReturned,
  type JudgedLicense,
  type LicenseJudgement,
  type LicensePolicy,
} from '@bomtrail/messages';
import {
  createLicenceJudge,
  findUnknownRules,
  type Dependency,
  type UnknownRule,
} from '@bomtrail/sbom-formats';

export interface JudgeLicencesTask {
  /** JSON array of dependencies, gzip'd. */
  components: Uint8Array;
  policy: LicensePolicy;
  at: string;
}

/** Characters of a text in the result. */
const maxText = 500;

/** Worker thread: judges the licences of components by a policy. */
export default function judgeLicences(task: JudgeLicencesTask): LicenseJudgement {
  const judge = createLicenceJudge(task.policy, new Date(task.at));
  const counts = { allow: 0, warn: 0, deny: 0, unknown: 0 };
  const listed: Record<JudgedLicense['outcome'], JudgedLicense[]> = {
    deny: [],
    unknown: [],
    warn: [],
  };
  let excepted = 0;
  const components = JSON.parse(gunzipSync(task.components).toString('utf8')) as Dependency[];
  for (const component of components) {
    const { outcome, rule } = judge(component);
    if (rule === 'exception') excepted += 1;
    else counts[outcome] += 1;
    if (outcome === 'allow' || rule === 'exception') continue;
    if (listed[outcome].length < maxLicensesReturned) {
      const { name, version, purl, license } = component;
      listed[outcome].push({
        name: name.slice(0, maxText),
        version: version.slice(0, maxText),
        purl: purl?.slice(0, maxText) ?? null,
        license: license?.slice(0, maxText) ?? null,
        outcome,
        rule,
      });
    }
  }
  return {
    allowed: counts.allow,
    warned: counts.warn,
    denied: counts.deny,
    unknown: counts.unknown,
    excepted,
    unknown_rules: misspeltRules(task.policy, components),
    components: [...listed.deny, ...listed.unknown, ...listed.warn].slice(0, maxLicensesReturned),
  };
}

/** Rules about texts that resemble an id. One that a component states is meant. */
function misspeltRules(
  { licenses = [] }: LicensePolicy,
  components: readonly Dependency[],
): UnknownRule[] {
  const rules = findUnknownRules(licenses).filter(({ similar }) => similar.length > 0);
  if (rules.length === 0) return [];
  const stated = [...new Set(components.map(({ license }) => license?.toLowerCase() ?? ''))];
  return rules
    .filter((rule) => !stated.some((text) => text.includes(rule.license.toLowerCase())))
    .slice(0, maxLicensesReturned);
}
