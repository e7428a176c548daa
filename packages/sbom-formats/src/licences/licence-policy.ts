import { parsePurl, packageIdentity } from '@bomtrail/purl';
import { licenceGroup, type LicenceGroup } from './licence-groups';
import {
  alternativesIn,
  licenceText,
  MAX_DEPTH,
  parseLicence,
  togetherIn,
  type LicenceExpression,
} from './parse-expression';

export type LicenceAction = 'allow' | 'warn' | 'deny';

/** What a policy says of a component. `unknown` is neither allowed nor denied (docs/rules.md LP3). */
export type LicenceOutcome = LicenceAction | 'unknown';

/** What a project allows. Field names are those of the contract. */
export interface LicencePolicy {
  groups?: { [Group in Exclude<LicenceGroup, 'unknown'>]?: LicenceAction | undefined } | undefined;
  licenses?: readonly { license: string; action: LicenceAction }[] | undefined;
  unknown?: 'warn' | 'deny' | undefined;
  exceptions?: readonly LicencePolicyException[] | undefined;
}

export interface LicencePolicyException {
  /** With a version: of that version alone. */
  purl: string;
  /** The exception holds while the component has this licence; absent: whatever it has. */
  license?: string | null | undefined;
  /** Null: no end. */
  expires_at?: string | null | undefined;
}

interface Judged {
  outcome: LicenceOutcome;
  /** What decided: an exception, a rule about a licence or a group, or that nothing is known. */
  rule: 'exception' | 'license' | 'group' | 'unknown';
}

type Component = { purl: string | null; version: string; license: string | null };

/** Best first. */
const order: readonly LicenceOutcome[] = ['allow', 'warn', 'unknown', 'deny'];

/**
 * docs/rules.md LP1 to LP4. Judges components by a policy; each licence is judged once.
 *
 * @param at exceptions that have expired by then do not apply
 */
export function createLicenceJudge(
  policy: LicencePolicy,
  at: Date,
): (component: Component) => Judged {
  // The strictest last, so that it counts where two name one licence, such as `GPL-3.0` and `GPL-3.0-only`.
  const rules = [...(policy.licenses ?? [])].sort(
    (one, other) => order.indexOf(one.action) - order.indexOf(other.action),
  );
  const byLicence = new Map(rules.map(({ license, action }) => [normalText(license), action]));
  const exceptions = activeExceptions(policy.exceptions ?? [], at);
  const known = new Map<string | null, Judged>();

  function judgeExpression(expression: LicenceExpression): Judged {
    if ('operator' in expression) {
      const judged = expression.operands.map(judgeExpression).sort(byOutcome);
      const decisive = expression.operator === 'OR' ? judged[0] : judged.at(-1);
      return decisive ?? nothingKnown;
    }
    const action = byLicence.get(normalText(licenceText(expression)));
    if (action !== undefined) return { outcome: action, rule: 'license' };
    const group = licenceGroup(expression);
    return group === 'unknown'
      ? nothingKnown
      : { outcome: policy.groups?.[group] ?? 'allow', rule: 'group' };
  }

  function judgeLicence(license: string | null, level = 0): Judged {
    if (license === null || level > MAX_DEPTH) return nothingKnown;
    const action = byLicence.get(normalText(license));
    if (action !== undefined) return { outcome: action, rule: 'license' };
    const expression = parseLicence(license);
    if (expression !== null) return judgeExpression(expression);
    const parts = togetherIn(license);
    if (parts.length > 1)
      return (
        parts
          .map((part) => judgeLicence(part, level + 1))
          .sort(byOutcome)
          .at(-1) ?? nothingKnown
      );
    return judgeChoice(parts[0] ?? '', level);
  }

  /** Whether a text is a choice is certain only if a rule or the list knows all that it offers. */
  function judgeChoice(text: string, level: number): Judged {
    const offered = alternativesIn(text).map((one) => judgeLicence(one, level + 1));
    const isKnown = offered.every(({ outcome }) => outcome !== 'unknown');
    return (isKnown && offered.sort(byOutcome)[0]) || nothingKnown;
  }

  return (component) => {
    const { license } = component;
    const before = known.get(license);
    const judged = before ?? judgeLicence(license);
    if (!before) known.set(license, judged);
    const outcome =
      judged.outcome === 'unknown' && policy.unknown === 'deny' ? 'deny' : judged.outcome;
    if (outcome !== 'allow' && exceptions(component))
      return { outcome: 'allow', rule: 'exception' };
    return { ...judged, outcome };
  };
}

const nothingKnown: Judged = { outcome: 'unknown', rule: 'unknown' };

function byOutcome(one: Judged, other: Judged): number {
  return order.indexOf(one.outcome) - order.indexOf(other.outcome);
}

/** Licences are compared in their normal form; a text that is no expression, without case. */
function normalText(license: string): string {
  const expression = parseLicence(license);
  return (expression ? licenceText(expression) : license.trim().replace(/\s+/g, ' ')).toLowerCase();
}

function activeExceptions(
  exceptions: readonly LicencePolicyException[],
  at: Date,
): (component: Component) => boolean {
  const byPackage = new Map<string, { version: string | null; license: string | null }[]>();
  for (const { purl, license = null, expires_at: end = null } of exceptions) {
    const parsed = parsePurl(purl);
    if (!parsed || (end !== null && new Date(end) <= at)) continue;
    const identity = packageIdentity(parsed);
    const entry = {
      version: parsed.version,
      license: license === null ? null : normalText(license),
    };
    byPackage.set(identity, [...(byPackage.get(identity) ?? []), entry]);
  }
  if (byPackage.size === 0) return () => false;
  return ({ purl, version, license }) => {
    const parsed = purl === null ? null : parsePurl(purl);
    if (!parsed) return false;
    const entries = byPackage.get(packageIdentity(parsed)) ?? [];
    const own = license === null ? null : normalText(license);
    return entries.some(
      (entry) =>
        (entry.version === null || entry.version === (parsed.version ?? version)) &&
        (entry.license === null || entry.license === own),
    );
  };
}
