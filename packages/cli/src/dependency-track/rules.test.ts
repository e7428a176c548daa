import { mapAnalysis } from './map-analysis';
import { mapPolicies } from './map-policies';
import { matchDecisions, type TrackedRow } from './match-decisions';
import { analysisKey, type DtAnalysis, type DtFinding, type DtProject } from './model';
import { planServices } from './plan-services';

const project = (name: string, changes: Partial<DtProject> = {}): DtProject => ({
  uuid: `${name}-${changes.version ?? ''}`,
  name,
  lastBomImport: 1,
  ...changes,
});

describe('services of projects', () => {
  test('versions of one name are one service, by upload, the latest last', () => {
    const { services } = planServices([
      project('shop', { version: '3', lastBomImport: 5, isLatest: true }),
      project('shop', { version: '2', lastBomImport: 9 }),
      project('shop', { version: '1', lastBomImport: 2 }),
    ]);
    expect(services).toMatchObject([{ project: 'shop', service: 'shop' }]);
    expect(services[0]?.versions.map(({ version }) => version)).toEqual(['1', '2', '3']);
  });

  test('the outermost parent names the project, in whatever case', () => {
    const top = project('Shop', { collectionLogic: 'AGGREGATE_DIRECT_CHILDREN' });
    const { lastBomImport: _none, ...middle } = project('mid', { parent: { uuid: top.uuid } });
    const { services, skipped } = planServices([
      top,
      middle,
      project('web', { parent: { uuid: middle.uuid } }),
      project('api', { parent: { uuid: 'unseen', name: 'SHOP' } }),
    ]);
    expect(services.map((one) => [one.project, one.service])).toEqual([
      ['Shop', 'web'],
      ['Shop', 'api'],
    ]);
    expect(skipped.map(({ reason }) => reason)).toEqual(['collection', 'no_sbom']);
  });

  test('parents in a circle end', () => {
    const one = project('a', { parent: { uuid: 'b-' } });
    expect(planServices([one, project('b', { parent: { uuid: 'a-' } })]).services).toHaveLength(2);
  });
});

const finding = (version: string, id: string, changes: Partial<DtFinding> = {}): DtFinding => ({
  component: { uuid: `c${version}`, name: 'p', version, purl: `pkg:npm/%40s/p@${version}` },
  vulnerability: { uuid: `v${id}`, vulnId: id },
  ...changes,
});

describe('the decision of an analysis', () => {
  test.each<[DtAnalysis, string | null, string | null]>([
    [{ analysisState: 'NOT_SET' }, null, null],
    [{ analysisState: 'EXPLOITABLE' }, null, null],
    [{ analysisState: 'EXPLOITABLE', isSuppressed: true }, 'risk_accepted', null],
    [{ analysisState: 'NOT_SET', isSuppressed: true }, 'risk_accepted', null],
    [{ analysisState: 'IN_TRIAGE' }, 'in_triage', null],
    [{ analysisState: 'IN_TRIAGE', isSuppressed: true }, 'risk_accepted', null],
    [{ analysisState: 'FALSE_POSITIVE', isSuppressed: true }, 'false_positive', null],
    [{ analysisState: 'RESOLVED' }, 'not_affected', null],
    [
      { analysisState: 'NOT_AFFECTED', analysisJustification: 'CODE_NOT_REACHABLE' },
      'not_affected',
      'vulnerable_code_not_in_execute_path',
    ],
    [{ analysisState: 'NOT_AFFECTED', analysisJustification: 'NOT_SET' }, 'not_affected', null],
  ])('%j is %s', (trail, decision, justification) => {
    const mapped = mapAnalysis(finding('1', 'CVE-1'), trail);
    expect(mapped?.decision ?? null).toBe(decision);
    expect(mapped?.justification ?? null).toBe(justification);
  });

  test('reason and comments are kept, within the limits', () => {
    const mapped = mapAnalysis(finding('1', 'CVE-1'), {
      analysisState: 'FALSE_POSITIVE',
      analysisDetails: 'x'.repeat(3000),
      analysisComments: [{ timestamp: 0, comment: 'seen', commenter: 'kim' }, { comment: ' ' }],
    });
    expect(mapped?.reason).toHaveLength(2000);
    expect(mapped?.detail).toBe(
      'Dependency-Track: FALSE_POSITIVE\n1970-01-01T00:00:00.000Z kim: seen',
    );
  });
});

describe('the tracked vulnerability of an analysis', () => {
  const row = (changes: Partial<TrackedRow> = {}): TrackedRow => ({
    id: 'row',
    cve_id: 'CVE-1',
    aliases: ['GHSA-a'],
    advisory_ids: [],
    purl: 'pkg:npm/@s/p@1',
    package_versions: ['1'],
    ...changes,
  });
  const accepted = {
    decision: 'risk_accepted',
    justification: null,
    reason: 'r',
    detail: null,
  } as const;
  const match = (all: DtFinding[], decided: DtFinding[], rows: TrackedRow[]) => {
    const mapped = new Map(decided.map((one) => [analysisKey(one), accepted]));
    const result = matchDecisions(all, mapped, rows);
    return [result.decided.map((one) => one.row.id), [...result.unmatched.values()]];
  };
  const one = finding('1', 'cve-1');
  const two = finding('2', 'CVE-1');

  test('is another one for another vulnerability of an export without uuids', () => {
    const [decided, other] = ['CVE-1', 'CVE-2'].map((vulnId) =>
      finding('1', vulnId, { vulnerability: { vulnId } }),
    ) as [DtFinding, DtFinding];
    const rows = [row(), row({ id: 'other', cve_id: 'CVE-2', aliases: [] })];
    expect(match([decided, other], [decided], rows)).toEqual([['row'], []]);
  });

  test('has one of its ids, in the same package', () => {
    const alias = finding('1', 'OSV-9', {
      vulnerability: { uuid: 'v', vulnId: 'OSV-9', aliases: [{ ghsaId: 'ghsa-A' }] },
    });
    expect(match([one], [one], [row()])).toEqual([['row'], []]);
    expect(match([alias], [alias], [row()])).toEqual([['row'], []]);
    expect(match([one], [one], [row({ cve_id: 'CVE-2' })])).toEqual([[], ['not_found']]);
    expect(match([one], [one], [row({ purl: 'pkg:npm/p@1' })])).toEqual([[], ['not_found']]);
    expect(match([one], [one], [row({ purl: null })])).toEqual([[], ['not_found']]);
  });

  test('is decided only if every version at hand is', () => {
    const both = row({ package_versions: ['1', '2'] });
    expect(match([one, two], [one, two], [both])).toEqual([['row'], []]);
    expect(match([one, two], [one], [both])).toEqual([[], ['differs_by_version']]);
    expect(match([one], [one], [both])).toEqual([[], ['other_versions']]);
  });
});

function conditionOf(text: string): { subject: string; operator: string; value: string } {
  const [subject = '', operator = '', value = ''] = text.split(' ');
  return { subject, operator, value };
}

test('policies map to settings only where they mean the same', () => {
  const policy = (condition: string, changes = {}) => ({
    name: 'p',
    operator: 'ANY',
    violationState: 'FAIL',
    policyConditions: [conditionOf(condition)],
    ...changes,
  });
  const mapped = mapPolicies([
    policy('SEVERITY IS HIGH'),
    policy('EPSS NUMERIC_GREATER_THAN 0.5'),
    policy('EPSS NUMERIC_GREATER_THAN 50'),
    policy('SEVERITY IS UNASSIGNED'),
    policy('LICENSE_GROUP IS Copyleft'),
    policy('SEVERITY IS HIGH', { violationState: 'WARN' }),
  ]);
  expect(mapped.map(({ setting }) => setting)).toEqual([
    ...['fail_on: high', 'max_epss: 0.5'],
    ...[null, null, null, null],
  ]);
  expect(mapped[4]?.note).toMatch(/^LICENSE_GROUP IS Copyleft: .*license_policy/);
});
