import Ajv from 'ajv';
import { entryOf, finding, hostileTexts, reportOf, run } from '../../testing/findings';
import { gitlab } from './gitlab';
import { gitlabSchema } from '../../testing/gitlab-schema';

const valid = new Ajv({ strict: false, allErrors: true }).compile(gitlabSchema);

interface Report {
  vulnerabilities: {
    id: string;
    name: string;
    identifiers: { type: string; value: string }[];
    location: { file: string; dependency: object };
  }[];
  dependency_files: { path: string; package_manager: string; dependencies: object[] }[];
}

function reported(...reports: Parameters<typeof gitlab>[0]): Report {
  const report = gitlab(reports, run);
  valid(report);
  expect(valid.errors ?? []).toEqual([]);
  return report as Report;
}

test('the schema is one that refuses', () => {
  expect(valid({ version: '15.0.7', vulnerabilities: [] })).toBe(false);
});

test('each affected component is a vulnerability with its ids, its file and its dependency', () => {
  const row = finding({ title: 'Prototype pollution', aliases: ['CVE-1', 'GHSA-1', 'PYSEC-9'] });
  const { vulnerabilities, dependency_files } = reported(reportOf([row]));
  expect(vulnerabilities).toMatchObject([
    {
      name: 'CVE-1: Prototype pollution',
      severity: 'High',
      solution: 'Update left-pad to 1.0.1.',
      identifiers: [
        { type: 'cve', value: 'CVE-1' },
        { type: 'ghsa', value: 'GHSA-1' },
        { type: 'pysec', value: 'PYSEC-9' },
      ],
      location: {
        file: 'out/bom #1.json',
        dependency: { package: { name: 'left-pad' }, version: '1.0.0', direct: true },
      },
    },
  ]);
  expect(dependency_files).toMatchObject([{ path: 'out/bom #1.json', package_manager: 'npm' }]);
});

test('a finding keeps its id from run to run, and two have two', () => {
  const [one, other] = [finding(), finding({ id: 'another' })];
  const ids = (): string[] => reported(reportOf([one, other])).vulnerabilities.map(({ id }) => id);
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
});

test('what is accepted or ignored is left out', () => {
  const rows = [finding({ status: 'accepted' }), finding({ id: 'x' }), finding({ id: 'y' })];
  const ignored = new Map([['x', entryOf('CVE-1')]]);
  expect(reported(reportOf(rows, { ignored })).vulnerabilities).toHaveLength(1);
});

test.each(hostileTexts)('%j leaves the report valid', (text) => {
  const row = finding({ package_name: text, title: text, package_version: text, cve_id: text });
  expect(reported(reportOf([row])).vulnerabilities).toHaveLength(1);
});
