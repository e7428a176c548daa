import { several } from './several';

/** What a decision says, where it is offered and where it is reported. */
const kinds = {
  not_affected: 'Not affected',
  false_positive: 'False positive',
  in_triage: 'Being looked into',
} as const;

/** Text of findings, their panel and decisions; part of `en.ts`. */
export const findingsText = {
  findings: {
    loading: 'Findings',
    counting: 'Findings (counting …)',
    title: (total: string, count: number) => `${total} ${several(count, 'finding', 'findings')}`,
    label: 'Findings',
    idBox: 'Id, package or title',
    only: 'Only those that are',
    flags: { kev: 'Exploited', overdue: 'Overdue', has_fix: 'Fix known', is_direct: 'Direct' },
    severity: 'Severity',
    status: 'Status',
    project: 'Project',
    service: 'Service',
    allProjects: 'All projects',
    allServices: 'All services',
    sort: 'Order',
    sorts: {
      risk: 'By risk',
      cvss_score: 'By CVSS score',
      epss_score: 'By EPSS',
      kev: 'Exploited first',
      first_seen_at: 'Newest first',
      published_at: 'Latest advisory first',
      package_name: 'By package',
      cve_id: 'By id',
    },
    clear: 'Clear filters',
    columns: {
      severity: 'Severity',
      id: 'Vulnerability',
      package: 'Package → fixed in',
      where: 'Service',
      risk: 'Risk',
      epss: 'EPSS',
      age: 'First seen',
      owner: 'Owner',
      due: 'Due',
      state: 'State',
    },
    kev: 'Exploited',
    overdue: 'Overdue',
    noFix: 'no fix known',
    select: 'Select',
    selectOne: (id: string) => `Select ${id}`,
    selected: (count: number) => `${count} selected`,
    bulk: 'What to do with the selected findings',
    accept: 'Decide',
    decideWhat: 'Accept the risk, not affected, false positive, or being looked into',
    unselect: 'Unselect',
    readOnly: 'You may not decide.',
    contradicted: 'Contradicted',
    tooManySelected: (most: number) => `Only ${most} are decided at once: the others are left out.`,
    notSelected: 'The rows could not be read: nothing was selected. Try again.',
    group: 'Group',
    ungrouped: 'Not grouped',
    groups: {
      vulnerability: 'By vulnerability',
      package: 'By package',
      service: 'By service',
      project: 'By project',
    },
    groupTitle: {
      vulnerability: (total: string, count: number) =>
        `${total} ${several(count, 'vulnerability', 'vulnerabilities')}`,
      package: (total: string, count: number) =>
        `${total} ${several(count, 'package', 'packages')}`,
      service: (total: string, count: number) =>
        `${total} ${several(count, 'service', 'services')}`,
      project: (total: string, count: number) =>
        `${total} ${several(count, 'project', 'projects')}`,
    },
    groupMore: (total: string) => `All ${total} in the list`,
    selectGroup: 'Select',
    groupRisk: (risk: number) => `risk ${risk}`,
    fixable: (fixable: number, total: number) =>
      fixable === total
        ? 'all have a fix'
        : fixable === 0
          ? 'none has a fix'
          : `${fixable} have a fix`,
    active: {
      remove: (filter: string) => `Take away the filter: ${filter}`,
      since: (day: string) => `New since ${day} (UTC)`,
      owner: (owner: string) => `Owner ${owner}`,
      label: (labels: string) => `Label ${labels.replaceAll(',', ' or ')}`,
      minEpss: (share: string) => `EPSS ≥ ${share}`,
    },
    triage: { in_triage: 'In triage', none: 'Undecided' },
    further: {
      open: 'More filters',
      any: 'Any',
      epss: 'Likely to be exploited soon (EPSS)',
      ecosystem: 'Ecosystem',
      detectedSince: 'Detected since (UTC)',
      decision: 'Triage',
      flags: {
        kev: { label: 'Known to be exploited', yes: 'Exploited', no: 'Not exploited' },
        has_fix: { label: 'Fix', yes: 'Fix known', no: 'No fix known' },
        is_direct: { label: 'Dependency', yes: 'Direct', no: 'Indirect' },
        overdue: { label: 'Service level', yes: 'Overdue', no: 'Not overdue' },
        has_owner: { label: 'Somebody responsible', yes: 'With an owner', no: 'No owner' },
      },
      exact: {
        package_name: 'Package, by its full name',
        purl: 'Package URL',
        cve_id: 'Id or alias',
        owner: 'Owner',
        label: 'Label, or several with commas',
      },
    },
    empty: 'No findings',
    emptyAll: 'Nothing is open by current advisories. Each SBOM says what could not be checked.',
    emptyNarrowed: 'Nothing matches these filters.',
    emptyWithout: {
      kev: 'The catalogue of known exploited vulnerabilities (KEV) is not loaded: what is exploited is unknown.',
      epss: 'No values of EPSS are loaded: what is likely to be exploited is unknown.',
    },
    emptyUnchecked:
      'Not everything here could be checked: an empty list does not mean that there is nothing. The services of the project say what is missing.',
    emptyBasisUnknown:
      'What this is based on could not be read: an empty list may not mean that there is nothing. Load the page again.',
    idKnown: (id: string) => `${id} is known, and open or accepted in no service.`,
    idElsewhere: (total: string, count: number, id: string) =>
      `${total} ${several(count, 'service has', 'services have')} ${id}, with other filters.`,
    emptyWithoutData:
      'No advisories are loaded, so an empty list means nothing. Load a feed first.',
    more: (rows: string) =>
      `Only the first ${rows} are reachable here: narrow the list or turn the order.`,
  },
  panel: {
    label: 'Finding',
    close: 'Close the finding',
    noTitle: 'The advisory has no title.',
    kev: (date: string) => `Known exploited since ${date}`,
    ransomware: 'Used by ransomware',
    upgrade: (name: string, from: string, to: string) => `Upgrade ${name} from ${from} to ${to}.`,
    noFix: (name: string, version: string) => `No fixed version of ${name} ${version} is known.`,
    isFixed: 'The latest SBOM of the service does not have it any more.',
    accept: 'Decide …',
    direct: 'direct',
    directUnread: 'direct or not: unknown. What depends on what could not be read.',
    directUnknown: 'direct or not: unknown. The document does not say what depends on what.',
    indirect: 'through another package',
    risk: (risk: number) => `${risk} of 100`,
    epss: (score: string, percentile: string) => `${score}, higher than ${percentile} of all`,
    sbom: 'SBOM',
    decisions: 'Decisions',
    contradicted: 'These decisions contradict each other. The first one counts.',
    counts: 'Counts',
    byRule: (name: string) => `by the standing rule ${name}`,
    forService: 'For this service',
    forProject: 'For the whole project',
    until: (date: string) => `until ${date}`,
    byKey: (name: string) => `by key ${name}`,
    byPerson: (name: string) => `by ${name}`,
    endDecision: 'End it',
    ticket: 'Ticket',
    assignee: (name: string) => `for ${name}`,
    bySource: (document: string) => `by the document ${document}`,
    timeline: 'Timeline',
    timelineIncomplete: 'Earlier events are not known any more.',
    events: {
      opened: 'Opened by',
      fixed: 'Fixed by',
      reopened: 'Opened again by',
      accepted: 'Accepted',
      not_affected: 'Decided: not affected',
      false_positive: 'Decided: a false positive',
      in_triage: kinds.in_triage,
      acceptance_expired: 'The decision has expired',
    },
    affected: (total: string | undefined, count = 0) =>
      total === undefined
        ? 'Who has it'
        : `${total} ${several(count, 'service has', 'services have')} it`,
    affectedMore: 'Further services',
    thisOne: 'this one',
    advisory: 'Advisory',
    facts: {
      package: 'Package',
      versions: 'Versions here',
      fixedIn: 'Fixed in',
      dependency: 'Dependency',
      service: 'Service',
      owner: 'Owner',
      sbom: 'Since version',
      due: 'To be fixed',
      risk: 'Risk',
      epss: 'EPSS',
      severitySource: 'Severity from',
      aliases: 'Ids',
      upstream: 'Fixes',
      vector: 'CVSS',
      published: 'Published',
      modified: 'Changed',
    },
  },
  accept: {
    title: (count: number) =>
      count === 1 ? 'Decide about this finding' : `Decide about ${count} findings`,
    lead: (ids: readonly string[]) =>
      ids.length > 4 ? `${ids.slice(0, 4).join(', ')} and ${ids.length - 4} more` : ids.join(', '),
    leftOut: ({ closed, forbidden }: { closed: number; forbidden: number }) =>
      [
        forbidden > 0 &&
          `${forbidden} ${several(forbidden, 'finding is', 'findings are')} left out: you may not decide in ${several(forbidden, 'its', 'their')} project.`,
        closed > 0 &&
          `${closed} ${several(closed, 'finding is', 'findings are')} left out: only an open one can be decided.`,
      ]
        .filter(Boolean)
        .join(' '),
    reason: 'Reason',
    reasonHint: 'Whoever asks in a year reads this.',
    scope: 'For',
    scopeService: 'the service of each finding',
    scopeProject: 'the whole project, later services included',
    withoutService: (count: number, of: number) =>
      `${of === 1 ? 'It belongs' : `${count} of them ${several(count, 'belongs', 'belong')}`} to the project and to no service: decided for the whole project, later services included.`,
    until: 'Until',
    untilHint: 'Empty: without end.',
    kind: 'Decision',
    kinds: { risk_accepted: 'Accept the risk', ...kinds },
    kindHints: {
      risk_accepted: 'It is there, and stays for now. The gate of builds does not count it.',
      not_affected: 'It is there, but cannot be used here. The gate of builds does not count it.',
      false_positive: 'It is not there: the match is wrong. The gate of builds does not count it.',
      in_triage:
        'It stays open, and others see that somebody is at it. The gate of builds still counts it.',
    },
    justification: 'Because',
    noJustification: 'as the reason says',
    justifications: {
      component_not_present: 'the component is not in the product',
      vulnerable_code_not_present: 'the vulnerable code is not in the component',
      vulnerable_code_not_in_execute_path: 'the vulnerable code is never run',
      vulnerable_code_cannot_be_controlled_by_adversary: 'no attacker can reach it',
      inline_mitigations_already_exist: 'it is mitigated',
    },
    ticket: 'Ticket',
    ticketHint: 'An address; may be empty.',
    submit: {
      risk_accepted: (count: number) => (count === 1 ? 'Accept' : `Accept ${count}`),
      not_affected: (count: number) => (count === 1 ? 'Not affected' : `${count} not affected`),
      false_positive: (count: number) =>
        count === 1 ? 'False positive' : `${count} false positives`,
      in_triage: (count: number) => (count === 1 ? 'In triage' : `${count} in triage`),
    },
    progress: (done: number, of: number) => `${done} of ${of} are sent.`,
    done: (count: number, of: number) =>
      count === of
        ? `${count} ${several(count, 'finding', 'findings')} decided.`
        : `${count} of ${of} findings decided. The others are as before.`,
    undone: 'Undone: open again.',
    ended: 'The decision is ended.',
    notEnded:
      'The decision was not ended: somebody else has ended it, it is for all projects, or you may not decide in this project.',
    undoFailed: (count: number) =>
      `${count} could not be undone. Try again in the panel of the finding.`,
  },
  decisions: {
    link: 'Decisions',
    title: (total: string, count: number) => `${total} ${several(count, 'decision', 'decisions')}`,
    lead: 'Who decided what about which findings, when, why, until when and for which services.',
    label: 'Decisions',
    basis: 'Decisions that were ended are in the audit log.',
    empty: 'No decisions',
    global: 'For all projects',
    globalHidden: 'Decisions for all projects are shown to administrators only.',
    kinds: { risk_accepted: 'Risk accepted', ...kinds },
    columns: {
      when: 'When',
      about: 'Finding',
      what: 'Decision',
      why: 'Reason',
      who: 'By',
      until: 'Until',
      where: 'Services',
    },
    noEnd: 'no end',
    unknown: 'not known',
    wholeProject: 'All services',
    deletedService: 'a deleted service',
    key: (name: string) => `Key ${name}`,
    changed: (name: string, at: string) => `changed by ${name}, ${at}`,
  },
  report: {
    link: 'Report',
    print: 'Print',
    csv: 'Save as CSV',
    project: (id: string) => `Project ${id}`,
    service: (id: string) => `Service ${id}`,
    title: (total: string, count: number, severity: string) =>
      `${total} ${severity} ${several(count, 'finding', 'findings')}`,
    titleOfSeveral: (total: string, count: number, severities: string) =>
      `${total} ${several(count, 'finding', 'findings')} of severity ${severities}`,
    at: (moment: string) => `As of ${moment}.`,
    first: (rows: string) => `The first ${rows}; the CSV file has all.`,
  },
} as const;
