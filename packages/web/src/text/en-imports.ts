import { several } from './several';

const sources: Readonly<Record<string, string>> = { 'dependency-track': 'Dependency-Track' };

/** Text of imports from other programs; part of `en.ts`. */
export const importsText = {
  imports: {
    empty: 'Nothing was imported yet',
    emptyWhy:
      '“bomtrail import dependency-track” copies projects, SBOMs and decisions from Dependency-Track.',
    nameOf: (source: string, version: string | null) =>
      `${sources[source] ?? source}${version ? ` ${version}` : ''}`,
    statuses: {
      running: 'Running',
      finished: 'Finished',
      failed: 'Failed',
      interrupted: 'Interrupted',
    },
    lead: (
      status: string,
      { uploaded, versions, projects }: Record<'uploaded' | 'versions' | 'projects', number>,
    ) => {
      const came = `${uploaded} of ${versions} ${several(versions, 'version', 'versions')} came, into ${projects} ${several(projects, 'project', 'projects')}`;
      if (status === 'running') return `${came} so far.`;
      if (status === 'finished') return `${came}.`;
      return `${came}, before it ended early: repeat the command, and it goes on.`;
    },
    of: (here: number, there: number) => `${here} of ${there}`,
    both: (here: number, there: number) => `${here} (there ${there})`,
    error: 'Why it failed',
    by: 'By',
    begun: 'Begun',
    reported: 'Last report',
    bothSides: 'On both sides',
    whyDifferent:
      'Findings are vulnerabilities by component version there and by package here, and are found anew, so their numbers differ.',
    version: (version: string) =>
      version === '' ? 'Version without a name' : `Version ${version}`,
    analysis: (vulnerability: string, component: string) => `${vulnerability} in ${component}`,
    notImported: (total: string) => `Not imported: ${total}`,
    notImportedHere: (total: string) => `Not imported of these services: ${total}`,
    skipped: (total: string) => `Nothing to import: ${total}`,
    more: (shown: string) => `The first ${shown} are shown; report.json of the command has all.`,
    policies: 'Policies',
    noSetting: 'no setting',
    reasons: {
      not_found: 'No loaded advisory gives this package a vulnerability with this id.',
      differs_by_version: 'The analyses of its versions differ.',
      other_versions: 'An affected version has no finding there.',
      stays_open: 'It is exploitable, so there is nothing to decide.',
      collection: 'It is a collection of others.',
      no_sbom: 'It has no SBOM.',
    },
    columns: {
      source: 'From',
      status: 'State',
      what: 'What',
      there: 'There',
      here: 'Here',
      projects: 'Projects',
      project: 'Project',
      service: 'Service',
      version: 'Version',
      versions: 'Versions',
      findings: 'Findings',
      decisions: 'Decisions',
      unmatched: 'Not imported',
      why: 'Why',
      policy: 'Policy',
      setting: 'Setting of .bomtrail.yaml',
    },
  },
} as const;
