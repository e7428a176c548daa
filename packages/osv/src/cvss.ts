import { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } from 'ae-cvss-calculator';

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'none' | 'unknown';

export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0';

export interface CvssScore {
  version: CvssVersion;
  /** The base score, 0.0 to 10.0. */
  score: number;
  /** As written in the source. */
  vector: string;
}

/** FIRST's base metrics with their values. All are mandatory. */
const BASE_METRICS: Readonly<Record<CvssVersion, Readonly<Record<string, string>>>> = {
  '2.0': { AV: 'LAN', AC: 'HML', Au: 'MSN', C: 'NPC', I: 'NPC', A: 'NPC' },
  '3.0': { AV: 'NALP', AC: 'LH', PR: 'NLH', UI: 'NR', S: 'UC', C: 'HLN', I: 'HLN', A: 'HLN' },
  '3.1': { AV: 'NALP', AC: 'LH', PR: 'NLH', UI: 'NR', S: 'UC', C: 'HLN', I: 'HLN', A: 'HLN' },
  '4.0': {
    AV: 'NALP',
    AC: 'LH',
    AT: 'NP',
    PR: 'NLH',
    UI: 'NPA',
    VC: 'HLN',
    VI: 'HLN',
    VA: 'HLN',
    SC: 'HLN',
    SI: 'HLN',
    SA: 'HLN',
  },
};

/** Optional metrics (threat, temporal, environmental, supplemental): parsed, not used. */
const OTHER_METRICS: Readonly<Record<CvssVersion, readonly string[]>> = {
  '2.0': ['E', 'RL', 'RC', 'CDP', 'TD', 'CR', 'IR', 'AR'],
  '3.0': 'E RL RC CR IR AR MAV MAC MPR MUI MS MC MI MA'.split(' '),
  '3.1': 'E RL RC CR IR AR MAV MAC MPR MUI MS MC MI MA'.split(' '),
  '4.0': 'E CR IR AR MAV MAC MAT MPR MUI MVC MVI MVA MSC MSI MSA S AU R V RE U'.split(' '),
};

/**
 * Parses a CVSS vector of version 2.0 (no prefix), 3.0, 3.1 or 4.0 and computes its base score from
 * the base metrics. Null for a malformed vector: an unknown prefix, metric or value, a missing or
 * repeated metric. Never throws. Source: FIRST's specification of each version.
 */
export function readVector(text: string): CvssScore | null {
  const vector = text.trim();
  const prefix = /^CVSS:(2\.0|3\.0|3\.1|4\.0)\//.exec(vector);
  if (vector.startsWith('CVSS:') && prefix === null) return null;
  const version = (prefix?.[1] ?? '2.0') as CvssVersion;
  const base = baseMetrics(
    version,
    vector.slice(prefix?.[0].length ?? 0).replace(/^\((.*)\)$/, '$1'),
  );
  if (base === null) return null;
  const { base: score } = calculatorOf(version, base).calculateScores();
  return score === undefined ? null : { version, score, vector };
}

/** The base metrics in FIRST's order, null when the vector is malformed. */
function baseMetrics(version: CvssVersion, text: string): string | null {
  const values = new Map<string, string>();
  for (const part of text.replace(/\/$/, '').split('/')) {
    const [, metric = '', value = ''] = /^([A-Za-z]+):([A-Za-z]+)$/.exec(part) ?? [];
    const base = BASE_METRICS[version];
    const letters = Object.hasOwn(base, metric) ? base[metric] : undefined;
    const isValid =
      letters === undefined
        ? OTHER_METRICS[version].includes(metric)
        : value.length === 1 && letters.includes(value);
    if (!isValid || values.has(metric)) return null;
    values.set(metric, value);
  }
  const names = Object.keys(BASE_METRICS[version]);
  if (!names.every((name) => values.has(name))) return null;
  return names.map((name) => `${name}:${values.get(name)}`).join('/');
}

function calculatorOf(version: CvssVersion, metrics: string) {
  switch (version) {
    case '2.0':
      return new Cvss2(metrics);
    case '3.0':
      return new Cvss3P0(`CVSS:3.0/${metrics}`);
    case '3.1':
      return new Cvss3P1(`CVSS:3.1/${metrics}`);
    case '4.0':
      return new Cvss4P0(`CVSS:4.0/${metrics}`);
  }
}

/**
 * Severity of a base score: 0 none, to 3.9 low, to 6.9 medium, to 8.9 high, to 10 critical. Source:
 * FIRST's qualitative rating scale (CVSS 3.0, 3.1, 4.0); also used for 2.0, which has none.
 */
export function bandOf(score: number): Severity {
  if (score <= 0) return 'none';
  if (score < 4) return 'low';
  if (score < 7) return 'medium';
  return score < 9 ? 'high' : 'critical';
}
