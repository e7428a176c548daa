import { documentText } from './en-documents';
import { findingsText } from './en-findings';
import { importsText } from './en-imports';
import { operationText } from './en-operation';
import { planText } from './en-plan';
import { projectsText } from './en-projects';
import { vexText } from './en-vex';
import { several } from './several';

/** All text of the page, by view. English only so far; another language is another file of this shape. */
export const text = {
  common: {
    now: 'now',
    loading: 'Loading',
    close: 'Close',
    cancel: 'Cancel',
    undo: 'Undo',
    dismiss: 'Dismiss',
    projectLevel: 'Project level',
    firstRows: (shown: string, total: string) => `The first ${shown} of ${total} are shown.`,
  },
  nav: {
    label: 'Views',
    skip: 'Skip to the content',
    overview: 'Overview',
    findings: 'Findings',
    projects: 'Projects',
    search: 'Am I affected?',
    alerts: 'Alerts',
    settings: 'Operation',
    help: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },
  theme: { label: 'Theme:', system: 'Auto', light: 'Light', dark: 'Dark' },
  shortcuts: {
    title: 'Keyboard shortcuts',
    list: [
      ['/', 'Search in the list of findings'],
      ['Ctrl+K', 'Am I affected?'],
      ['j k', 'Next and previous line, as the arrows do in the list'],
      ['Enter', 'Open the finding or group'],
      ['Escape', 'Close it'],
      ['x', 'Select the finding, or all of a group'],
      ['Shift+X', 'Select all up to here'],
      ['d', 'Decide about what is selected'],
      ['u', 'Undo the last decision'],
      ['?', 'This list'],
    ],
  },
  signIn: {
    title: 'bomtrail',
    lead: 'Sign in with an API key. An administrator creates one under Operation, Keys.',
    expired:
      'The session has ended: it, or the key, has expired or was revoked. Sign in again to continue here: what you were writing is kept.',
    key: 'API key',
    submit: 'Sign in',
    busy: 'Checking …',
    wrong: 'This key is not valid. A key starts with bt_ and may have expired or been revoked.',
    unread: (why: string) => `Whether you can sign in with your organisation is not known. ${why}`,
    provider: 'Sign in with your organisation',
    failed: {
      expired: 'The sign-in took too long, or was begun in another browser. Try again.',
      refused:
        'The identity provider did not confirm the sign-in. Try again, or ask an administrator.',
      unavailable:
        'The identity provider cannot be reached. Try again, or sign in with an API key.',
    },
    cannotRead: 'This key is valid, but may not read. The page needs a key with the scope read.',
    note: 'The key stays in this tab until it is closed. It is in no address and no cookie.',
  },
  errors: {
    invalid: 'The server does not accept this',
    unexpected: 'Something unexpected went wrong. Trying again may help.',
    offline: 'The server cannot be reached. What is shown may be old.',
    mayBeDone:
      'The server has not answered: this may have been done, or not. Look whether it was before you send it again.',
    offlineBar: 'Offline. What is shown may be old.',
    old: 'The server does not answer, or with errors. What is shown may be old.',
    gone: 'Some of this does not exist any more, or you may not see it any more. What is shown is old.',
    rightsUnread: 'What you may do could not be read: nothing to do is offered.',
    notSignedOut:
      'You may still be signed in: the server did not say that the session has ended. Try again.',
    closedEarly:
      'The server has not answered yet: what was sent may still take effect, or fail. Check whether it did.',
    changedMeanwhile:
      'This was changed elsewhere since the form was opened. Nothing was saved: close the form and open it again.',
    aMoment: 'a moment',
    seconds: (count: number) => `${count} ${several(count, 'second', 'seconds')}`,
    askedToWait: (delay: string) => `The server asks to wait for ${delay}.`,
    noAnswer: 'No answer',
    noConnection: 'No connection',
    forbidden: 'You may not do that',
    notFound: 'Not found',
    failed: 'That did not work',
    crashed: 'This view has failed',
    retry: 'Try again',
    requestId: 'For a report:',
    nothingHere: 'There is no such view',
    nothingHereWhy: 'The address may be mistyped, or what it showed may have been deleted.',
    toOverview: 'To the overview',
  },
  severity: {
    critical: 'Critical',
    high: 'High',
    medium: 'Medium',
    low: 'Low',
    none: 'None',
    unknown: 'Unknown',
  },
  status: {
    open: 'Open',
    accepted: 'Accepted',
    not_affected: 'Not affected',
    false_positive: 'False positive',
    fixed: 'Fixed',
  },
  data: {
    feed: 'Current advisories',
    starter: 'Starter advisories only',
    none: 'No advisories loaded',
    why: {
      feed: '',
      starter: 'Only a few well-known advisories are loaded: most vulnerabilities cannot be found.',
      none: 'No advisories are loaded, so nothing can be found. An empty list means nothing.',
    },
  },
  coverage: {
    none: 'Not checked yet',
    noneWhy: 'The SBOM has not been scanned, so nothing can be said about its components.',
    all: 'Every component was checked against advisories',
    checked: (evaluated: string, components: string) =>
      `${evaluated} of ${components} components checked against advisories`,
    reasons: {
      no_purl: 'without a complete package URL',
      no_version: 'without a version',
      unknown_ecosystem: 'of an ecosystem without advisories',
      unreadable_version: 'with a version that cannot be read',
      release_unknown: 'of an unknown distribution release',
      module_unknown: 'of an unknown module',
      unknown_action: 'an unknown action',
      source_unknown: 'without a known source package',
      feed_not_loaded: 'of a feed that is not loaded',
      starter_data: 'compared with starter advisories only',
      feed_stale: 'compared with old advisories',
    },
  },
  pager: {
    label: 'Pages',
    previous: 'Previous',
    next: 'Next',
    position: (page: number, pages: number) => `${page} of ${pages}`,
  },
  overview: {
    loading: 'Counting …',
    noneOpen: 'No open findings',
    exploited: (count: string) => `${count} known exploited`,
    exploitedUnknown: 'Known exploited: unknown',
    exploitedUnknownWhy: 'The catalogue of known exploited vulnerabilities (KEV) was never loaded.',
    fresh: (count: string) => `${count} new this week`,
    open: (count: string) => `${count} open`,
    basis: {
      feed: 'In the latest SBOM of every service, by current advisories.',
      starter: 'By the starter advisories only: most vulnerabilities cannot be found yet.',
      none: 'No advisories are loaded: nothing can be found yet.',
    },
    someProjects: 'Only of the projects that you may see.',
    bySeverity: 'Open by severity',
    trend: 'Open, last 90 days',
    trendSummary: (first: number, last: number, days: number) =>
      `${first} open ${days} days ago, ${last} today.`,
    trendSoon: (first: string, second: string) =>
      `The history begins on ${first}: there is a curve from ${second} on.`,
    trendNone: 'The history begins with the first scan: there is a curve from the second day on.',
    fixedIn: (version: string) => `fixed in ${version}`,
    overdue: (count: string) => `${count} overdue`,
    moved: (opened: string, fixed: string) => `${opened} opened, ${fixed} fixed in this time.`,
    allFindings: 'All findings',
    first: 'Look at these first',
    services: (count: string) => `in ${count} services`,
    allByRisk: 'All, by risk',
    nothing: 'Nothing is open',
    nothingWhy: {
      feed: 'No current advisory affects the latest SBOMs. Each SBOM says what could not be checked.',
      starter: 'By the starter advisories only, which say little. Load a feed to know more.',
      none: 'No advisories are loaded, so this means nothing. Load a feed first.',
    },
    data: 'Age of the advisories',
    allFeeds: 'All feeds',
    noFeeds: 'No feeds',
    noFeedsWhy: 'A feed is loaded with the first SBOM of its ecosystem.',
  },
  ...findingsText,
  ...projectsText,
  search: {
    title: 'Am I affected?',
    lead: 'Over the latest SBOM of every service.',
    box: 'CVE, package, package URL, version or licence',
    placeholder: 'CVE-2021-44228, lodash 4.17.15, pkg:npm/qs …',
    submit: 'Search',
    examples: [
      ['CVE-2021-44228', 'who has this vulnerability, by any of its ids'],
      ['lodash', 'who uses a package'],
      ['lodash 4.17.15', 'who uses one version of it'],
      ['pkg:maven/org.apache.logging.log4j/log4j-core', 'by package URL'],
      ['license:AGPL-3.0-only', 'who ships a licence, or a group such as license:unknown'],
    ],
    affected: (total: string, count: number, id: string) =>
      `Yes: ${total} ${several(count, 'service has', 'services have')} ${id}`,
    nobody: (id: string) => `${id} is known, and open or accepted in no service`,
    nobodyFound: (id: string) =>
      `${id} is known, and was found nowhere, but not everything could be checked`,
    onlyChecked:
      'This does not cover components that could not be checked, such as those without a package URL or of an old feed: search for the package to find them, too.',
    unknown: (id: string) => `${id} is unknown here`,
    unknownWhy:
      'No loaded advisory has this id. That does not mean that nobody is affected: the feed that has it may not be loaded or may have failed, and the id may be very new, of another database, or mistyped. Searching for the package may tell more.',
    failedFeeds: (count: number, names: string | undefined) =>
      `The last load of ${count} ${several(count, 'feed', 'feeds')} failed${names ? `: ${names}` : ''}.`,
    missingFeeds: (count: number, names: string | undefined) =>
      `${count} ${several(count, 'feed is', 'feeds are')} not loaded${names ? `: ${names}` : ''}.`,
    toFeeds: 'State of the feeds',
    finding: 'Finding',
    package: 'Package',
    unknownLicence: (total: string, count: number) =>
      `${total} ${several(count, 'service ships', 'services ship')} components whose licence is unknown`,
    unknownLicenceNobody: 'Nobody ships components whose licence is unknown',
    moreComponents: (count: string) => `and ${count} more`,
    withdrawn: 'The advisory was withdrawn.',
    alsoKnown: (ids: string) => `Also known as ${ids}.`,
    affectedLabel: 'Affected services',
    used: (total: string, count: number, what: string) =>
      `${total} ${several(count, 'service uses', 'services use')} ${what}`,
    notUsed: (what: string) => `Nobody uses ${what}`,
    notFound: (what: string) => `${what} was found nowhere, but not everything was searched`,
    usedLabel: 'Services that use it',
    unscanned: (total: string, count: number) =>
      `${total} ${several(count, 'SBOM was', 'SBOMs were')} not searched: not scanned yet, the scan failed, or retention dropped what they contain.`,
    incomplete: 'Not every SBOM is in the index.',
    someProjects: 'Only the projects that you may see were searched: others may have it.',
    ships: (total: string, count: number, what: string) =>
      `${total} ${several(count, 'service ships', 'services ship')} ${what}`,
    shipsNobody: (what: string) => `Nobody ships ${what}`,
    shipsLabel: 'Services that ship it',
    moreFindings: (shown: number, total: number) =>
      `${shown} of ${total} findings are shown. All of them, fixed ones included`,
    moreServices: (shown: number, total: number) => `${shown} of ${total} services are shown.`,
    states: { affected: 'affected', unaffected: 'not affected', unknown: 'not checked' },
  },
  gallery: {
    title: 'Components',
    lead: 'The parts that all views are made of, each in its states.',
    refused: 'This call needs an API key with the scope write.',
    problem: 'should be a valid URL',
    names: {
      severities: 'Severities',
      words: 'Words',
      buttons: 'Buttons',
      disabled: 'disabled',
      fields: 'Fields',
      plain: 'with a hint',
      wrong: 'wrong',
      choice: 'a choice',
      coverage: 'Coverage',
      tables: 'Tables',
      numbers: 'Numbers',
      states: 'Loading, empty, failed',
    },
  },
  ...documentText,
  ...vexText,
  ...operationText,
  ...importsText,
  ...planText,
} as const;
