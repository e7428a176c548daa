import fc from 'fast-check';
import type {
  ComponentInUse,
  NamedAdvisory,
  OpenVulnerability,
  PackageInUse,
} from './package-in-use';
import { compareRemediations, planPackage } from './plan-package';

const advisory = (id: string): NamedAdvisory => ({ id, group: id });

function vulnerability(id: string, given: Partial<OpenVulnerability> = {}): OpenVulnerability {
  const values = { severity: 'high' as const, kev: false, epss_score: null, risk: 40 };
  return { cve_id: id, aliases: [id], ...values, ...given };
}

/** @param affected advisories of the version in use and of each candidate, blank-separated; `?`: undecided */
function component(
  version: string,
  affected: Record<string, string>,
  given: Partial<ComponentInUse> = {},
): ComponentInUse {
  const verdict = (text: string) => {
    const ids = text.split(' ').filter((id) => id !== '');
    return {
      affected: ids.filter((id) => !id.endsWith('?')).map(advisory),
      undecided: ids.filter((id) => id.endsWith('?')).map((id) => advisory(id.slice(0, -1))),
    };
  };
  const { [version]: current = '', ...others } = affected;
  return {
    purl: `pkg:npm/a@${version}`,
    package_version: version,
    is_direct: true,
    release: null,
    source_package: null,
    version,
    prereleases: [],
    judged: {
      current: verdict(current),
      candidates: Object.entries(others).map(([candidate, text]) => ({
        version: candidate,
        verdict: verdict(text),
      })),
    },
    ...given,
  };
}

/** A package in one service. */
function inUse(
  components: ComponentInUse[],
  vulnerabilities: OpenVulnerability[],
  ecosystem = 'npm',
): PackageInUse {
  const use = {
    service_id: 's',
    project_id: 'p',
    sbom_id: 'b',
    components: components.map((_one, at) => at),
    vulnerabilities: vulnerabilities.map((_one, at) => at),
  };
  return { package_name: 'a', ecosystem, vulnerabilities, components, uses: [use] };
}

const open = ['CVE-1', 'CVE-2', 'CVE-3'].map((id) => vulnerability(id));

test('RM4 the lowest version of the line that closes all that the line closes, then the step that closes the rest', () => {
  const view = planPackage(
    inUse(
      [
        component('1.0.0', {
          '1.0.0': 'CVE-1 CVE-2 CVE-3',
          '1.1.0': 'CVE-2 CVE-3',
          '1.2.0': 'CVE-3',
          '1.3.0': 'CVE-3',
          '2.0.0': 'CVE-3',
          '2.1.0': '',
        }),
      ],
      open,
    ),
  );
  expect(view.upgrades).toMatchObject([{ from: ['1.0.0'], to: '1.2.0', is_major: false }]);
  expect(view.closes).toMatchObject({ total: 2, risk: 80, ids: ['CVE-1', 'CVE-2'] });
  expect(view.remains).toMatchObject({ total: 1, ids: ['CVE-3'] });
  expect(view.major_step).toMatchObject({
    upgrades: [{ from: ['1.0.0'], to: '2.1.0' }],
    closes: { total: 1, ids: ['CVE-3'] },
  });
});

test('RM4 without anything in the line, the major step is the upgrade', () => {
  const used = component('1.0.0', { '1.0.0': 'CVE-1', '2.0.0': '' });
  const view = planPackage(inUse([used], open.slice(0, 1)));
  expect(view.upgrades).toMatchObject([{ to: '2.0.0', is_major: true }]);
  expect(view.major_step).toBeNull();
});

test.each([
  ['opens_vulnerabilities', 'CVE-9'],
  ['undetermined', 'CVE-9?'],
])('RM3 a version is refused, and named with the advisories: %s', (reason, text) => {
  const affected = { '1.0.0': 'CVE-1', '1.1.0': text };
  const view = planPackage(inUse([component('1.0.0', affected)], open.slice(0, 1)));
  expect(view.upgrades).toMatchObject([
    { to: null, reason, refused: [{ version: '1.1.0', reason, advisory_ids: ['CVE-9'] }] },
  ]);
  expect(view.closes.total).toBe(0);
  expect(view.remains.total).toBe(1);
});

test('RM3 what is undecided for the version in use, too, refuses nothing', () => {
  const affected = { '1.0.0': 'CVE-1 CVE-9?', '1.1.0': 'CVE-9?' };
  const view = planPackage(inUse([component('1.0.0', affected)], open.slice(0, 1)));
  expect(view.upgrades).toMatchObject([{ to: '1.1.0' }]);
});

test('RM3 another advisory of the same alias group opens nothing and closes nothing', () => {
  const used = component('1.0.0', { '1.0.0': '', '1.1.0': '' });
  const judged = {
    current: { affected: [{ id: 'CVE-1', group: 'g' }], undecided: [] },
    candidates: [
      {
        version: '1.1.0',
        verdict: { affected: [{ id: 'GHSA-x', group: 'g' }], undecided: [] },
      },
    ],
  };
  const view = planPackage(
    inUse([{ ...used, judged }], [vulnerability('CVE-1', { aliases: ['CVE-1', 'GHSA-X'] })]),
  );
  expect(view.upgrades).toMatchObject([{ to: null, reason: 'no_fixed_version', refused: [] }]);
});

test.each([
  ['no_fixed_version', vulnerability('CVE-1'), {}],
  ['malicious', vulnerability('MAL-1', { aliases: ['MAL-1', 'CVE-1'] }), {}],
  ['prerelease_only', vulnerability('CVE-1'), { prereleases: ['2.0.0-rc.1'] }],
  ['not_judged', vulnerability('CVE-1'), { judged: null }],
])('RM6 no plan is guessed: %s', (reason, one, given) => {
  const view = planPackage(inUse([component('1.0.0', { '1.0.0': 'CVE-1' }, given)], [one]));
  expect(view.upgrades).toMatchObject([{ to: null, reason }]);
  expect([view.closes.total, view.remains.total]).toEqual([0, 1]);
});

test('RM2 a vulnerability is closed when no version of the service is affected any more', () => {
  const low = component('0.0.8', { '0.0.8': 'CVE-1 CVE-2', '0.0.9': 'CVE-2' });
  const high = component('1.2.0', { '1.2.0': 'CVE-1', '1.2.6': '' });
  const stuck = component('3.0.0', { '3.0.0': 'CVE-1' });
  const both = planPackage(inUse([low, high], open.slice(0, 2)));
  expect(both.upgrades).toMatchObject([
    { from: ['0.0.8'], to: '0.0.9' },
    { from: ['1.2.0'], to: '1.2.6' },
  ]);
  expect(both.closes.ids).toEqual(['CVE-1']);
  const three = planPackage(inUse([low, high, stuck], open.slice(0, 2)));
  expect(three.closes.total).toBe(0);
  expect(three.remains.total).toBe(2);
});

test('RM7 most risk removed first, and what has no upgrade last', () => {
  const view = (risk: number, to: string) => ({
    ...planPackage(
      inUse(
        [component('1.0.0', { '1.0.0': 'CVE-1', ...(to ? { [to]: '' } : {}) })],
        [vulnerability('CVE-1', { risk })],
      ),
    ),
    package_name: `${risk}${to}`,
  });
  const views = [view(90, ''), view(10, '1.1.0'), view(50, '1.1.0'), view(95, '')];
  expect(views.sort(compareRemediations).map(({ package_name }) => package_name)).toEqual([
    '501.1.0',
    '101.1.0',
    '95',
    '90',
  ]);
});

test('whatever is affected, the sums are of all open vulnerabilities, and no refused version is chosen', () => {
  const names = ['CVE-1', 'CVE-2', 'CVE-3', 'CVE-8', 'CVE-9?'];
  const some = fc.subarray(names).map((list) => list.join(' '));
  const versions = ['1.0.0', '1.1.0', '1.2.0', '2.0.0', '2.1.0', '3.0.0'];
  const used = fc
    .tuple(...versions.map(() => some))
    .map((texts) =>
      component('1.0.0', Object.fromEntries(versions.map((one, at) => [one, texts[at] ?? '']))),
    );
  fc.assert(
    fc.property(fc.array(used, { minLength: 1, maxLength: 3 }), (components) => {
      const view = planPackage(inUse(components, open));
      expect(view.closes.total + view.remains.total).toBe(open.length);
      const later = view.major_step?.closes.total ?? 0;
      expect(later).toBeLessThanOrEqual(view.remains.total);
      for (const { judged, version } of components) {
        const current = new Set(judged?.current.affected.map(({ id }) => id));
        const proposed = view.upgrades.filter(({ from }) => from.includes(version));
        const isSafe = proposed.every(
          ({ to }) =>
            to === null ||
            components.some((one) =>
              one.judged?.candidates.some(
                (candidate) =>
                  candidate.version === to &&
                  candidate.verdict.affected.every(
                    ({ id }) =>
                      one.judged?.current.affected.some((known) => known.id === id) ||
                      current.has(id),
                  ),
              ),
            ),
        );
        expect(isSafe).toBe(true);
      }
    }),
  );
});

test('RM4 no lower candidate of the line closes as much', () => {
  const names = ['CVE-1', 'CVE-2', 'CVE-3'];
  const some = fc.subarray(names).map((list) => list.join(' '));
  const versions = ['1.1.0', '1.2.0', '1.3.0', '1.4.0'];
  fc.assert(
    fc.property(fc.tuple(...versions.map(() => some)), (texts) => {
      const affected = Object.fromEntries(versions.map((one, at) => [one, texts[at] ?? '']));
      const used = component('1.0.0', { '1.0.0': names.join(' '), ...affected });
      const view = planPackage(inUse([used], open));
      const closedBy = texts.map((text) => names.filter((name) => !text.includes(name)));
      const union = new Set(closedBy.flat());
      const at = versions.indexOf(view.upgrades[0]?.to ?? '');
      if (union.size === 0) return expect(at).toBe(-1);
      const most = Math.max(...closedBy.map((list) => list.length));
      expect(closedBy[at]?.length).toBe(most);
      expect(closedBy.findIndex((list) => list.length === most)).toBe(at);
    }),
  );
});
