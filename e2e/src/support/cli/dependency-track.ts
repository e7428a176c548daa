import { documentOf } from '@bomtrail/reference-model';
import {
  startFakeDependencyTrack,
  type FakeDependencyTrack,
  type FakeDtProject,
} from '@bomtrail/testkit';

/** A finding of version 1.0.0 of a package. */
function finding(name: string, id: string, analysis: object): FakeDtProject['findings'][number] {
  const component = { uuid: `c-${name}`, name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` };
  return {
    component,
    vulnerability: { uuid: `v-${id}`, vulnId: id, aliases: [] },
    analysis,
  } as FakeDtProject['findings'][number];
}

const componentsOf = (...names: string[]): unknown[] =>
  (JSON.parse(documentOf(names).toString()) as { components: unknown[] }).components;

/**
 * Two applications below a collection, the newest version listed first: three SBOMs, four findings, and as many
 * analyses, of which one decides nothing and one is about a package that no advisory here names.
 */
export function startExampleDependencyTrack(suite = 'Shop suite'): Promise<FakeDependencyTrack> {
  const parent = { uuid: 'suite', name: suite };
  const web = { name: 'web', parent };
  const projects: FakeDtProject[] = [
    {
      project: { ...parent, collectionLogic: 'AGGREGATE_DIRECT_CHILDREN' },
      components: [],
      findings: [],
      analyses: {},
    },
    {
      project: { uuid: 'web-2', version: '2', lastBomImport: 2, isLatest: true, ...web },
      components: componentsOf('good@1.0.0', 'bad@1.0.0', 'meh@1.0.0'),
      findings: [
        finding('bad', 'CVE-2026-1', { state: 'NOT_AFFECTED', isSuppressed: false }),
        finding('meh', 'CVE-2026-2', { isSuppressed: true }),
        finding('good', 'CVE-2020-1', { state: 'FALSE_POSITIVE', isSuppressed: true }),
      ],
      analyses: {
        'c-bad:v-CVE-2026-1': {
          analysisState: 'NOT_AFFECTED',
          analysisJustification: 'CODE_NOT_REACHABLE',
          analysisDetails: 'Never called.',
          isSuppressed: false,
        },
      },
    },
    {
      project: { uuid: 'web-1', version: '1', lastBomImport: 1, isLatest: false, ...web },
      components: componentsOf('good@1.0.0'),
      findings: [],
      analyses: {},
    },
    {
      project: { uuid: 'api-1', name: 'api', version: '1', lastBomImport: 3, parent },
      components: componentsOf('meh@1.0.0'),
      findings: [finding('meh', 'CVE-2026-2', { state: 'EXPLOITABLE', isSuppressed: false })],
      analyses: {},
    },
  ];
  const policies = [
    {
      name: 'Severe',
      operator: 'ANY',
      violationState: 'FAIL',
      policyConditions: [{ subject: 'SEVERITY', operator: 'IS', value: 'CRITICAL' }],
    },
  ];
  return startFakeDependencyTrack({ version: '5.0.0', projects, policies });
}
