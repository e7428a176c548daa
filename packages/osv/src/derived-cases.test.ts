import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from './evaluate';
import { locate } from './locate';
import { affectedKeys, packageKey } from './package-key';
import { readRecord } from './read-record';
import type { OsvRecord } from './record';

/**
 * What the specifications say, case by case: derived by hand from the ecosystems' own documents and
 * not from this code, with the rule in a sentence. The advisories were written for the purpose.
 */
const CASES = join(__dirname, '../testdata/cases');

interface Case {
  purl: string;
  /** The component's own version, where it matters. */
  version?: string;
  /** Its source package, where the document says it beside the purl. */
  source_package?: string;
  advisory: string;
  /** `affected`, `not_affected` or `undetermined:<reason>`. */
  expect: string;
  why: string;
}

interface Family {
  about: string;
  advisories: unknown[];
  cases: Case[];
}

/** The families of the issue with the fewest cases that each must have. */
const FAMILIES: readonly [string, number][] = [
  ['debian', 30],
  ['ubuntu', 30],
  ['alpine', 30],
  ['rpm', 30],
  ['nuget', 30],
  ['others', 70],
];

describe.each(FAMILIES)('cases derived from the specifications: %s', (name, fewest) => {
  const family = JSON.parse(readFileSync(join(CASES, `${name}.json`), 'utf8')) as Family;
  const records = new Map(family.advisories.map(read).map((record) => [record.id, record]));

  test(`there are at least ${fewest}, of every answer, and each says why`, () => {
    expect(family.cases.length).toBeGreaterThanOrEqual(fewest);
    expect(family.cases.filter(({ why }) => why.length < 8)).toEqual([]);
    const responses = new Set(family.cases.map((one) => one.expect.split(':')[0]));
    expect([...responses].sort()).toEqual(['affected', 'not_affected', 'undetermined']);
    const used = new Set(family.cases.map(({ advisory }) => advisory));
    expect([...records.keys()].filter((id) => !used.has(id))).toEqual([]);
  });

  test.each(family.cases)('$purl and $advisory: $expect. $why', (one) => {
    const record = records.get(one.advisory);
    if (record === undefined) throw new Error(`there is no advisory ${one.advisory}`);
    expect(verdictFor(one, record)).toBe(one.expect);
  });
});

function read(json: unknown): OsvRecord {
  const result = readRecord(json);
  if (!result.ok) throw new Error(result.problem);
  return result.record;
}

/**
 * As the scanner does it: advisories are looked up by the package's key. A component is affected
 * when any of its packages is, else undetermined when any is, else not affected.
 */
function verdictFor(one: Case, record: OsvRecord): string {
  const located = locate({ version: '', ...one });
  if (located.kind === 'undetermined') return `undetermined:${located.reason}`;
  const keys = affectedKeys(record);
  const verdicts = located.packages
    .filter(({ ecosystem, name }) => keys.includes(packageKey(ecosystem, name)))
    .map((pkg) => evaluate(record, pkg));
  if (verdicts.some(({ status }) => status === 'affected')) return 'affected';
  const undetermined = verdicts.find(({ status }) => status === 'undetermined');
  return undetermined?.status === 'undetermined'
    ? `undetermined:${undetermined.reason}`
    : 'not_affected';
}
