import { several } from './several';

/** Texts about VEX documents and standing rules. */
export const vexText = {
  vexDocuments: {
    documents: (total: string, count: number) =>
      `${total} VEX ${several(count, 'document', 'documents')}`,
    documentsLabel: 'VEX documents',
    everywhere: 'all projects',
    import: {
      title: 'Drop a VEX document',
      choose: 'Import a VEX document',
      busy: 'Importing …',
      drop: 'or drop it here: OpenVEX, CycloneDX or CSAF. What each statement decides, or why not, follows.',
    },
    lead: (applied: string, total: string, count: number) =>
      `${applied} of ${total} ${several(count, 'statement applies', 'statements apply')} somewhere.`,
    format: 'Format',
    source: 'Source',
    imported: 'imported',
    pending: 'Services not evaluated yet',
    notApplied: 'Applies nowhere',
    conflicts: (count: number) =>
      `${count} ${several(count, 'statement', 'statements')} that another document contradicts`,
    conflictsLabel: 'Contradicted statements',
    this: 'this document',
    other: 'the other one',
    gone: 'its document is gone',
    staysOpen: 'stays open',
    inServices: (total: string, count: number) =>
      `${total} ${several(count, 'service', 'services')}`,
    moreStatements: (shown: string, total: string) => `${shown} of ${total} are shown.`,
    some: (names: readonly string[]) =>
      names.length <= 3
        ? names.join(', ')
        : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`,
    columns: {
      document: 'Document',
      version: 'Version',
      author: 'Author',
      statements: 'Statements',
      changed: 'Changed',
      statement: 'Statement about',
      vulnerability: 'Vulnerability',
      says: 'Says',
      other: 'Other document',
      counts: 'What counts',
      services: 'Services',
      outcome: 'Applies',
      products: 'Products',
    },
    statuses: {
      not_affected: 'not affected',
      affected: 'affected',
      fixed: 'fixed',
      under_investigation: 'under investigation',
      false_positive: 'false positive',
    },
    reasons: {
      no_vulnerability_named: 'names no vulnerability',
      no_product_named: 'names no product',
      identifier_not_supported: 'names its product by CPE, hash or name only',
      product_not_found: 'no SBOM has the product',
      product_version_differs: 'SBOMs have other versions of the product',
      subcomponent_not_found: 'no SBOM has the component in the product',
      subcomponent_version_differs: 'SBOMs have other versions of the component',
      subcomponent_not_in_product: 'the graph does not put the component inside the product',
      used_outside_product: 'something else uses the component, too',
      not_evaluated:
        'the graph of the SBOM is too large for this many products, or its document expired',
      vulnerability_not_found: 'none of the newest SBOMs has this vulnerability',
      pending: 'not evaluated yet',
    },
  },
  rules: {
    open: 'Standing rule',
    newTitle: 'New standing rule',
    editTitle: (name: string) => `Change ${name}`,
    name: 'Name',
    create: 'Create the rule',
    save: 'Save',
    change: 'Change',
    changeOf: (name: string) => `Change the rule ${name}`,
    untilHint: 'Empty: until it is ended. An end is better: it makes somebody look again.',
    filterStays: 'What it selects stays: another filter is another rule.',
    selected: (filter: string) => `Selects, now and later: ${filter}`,
    wouldDecide: (total: string, count: number) =>
      `Would decide ${total} ${several(count, 'finding', 'findings')} now`,
    created: (name: string, total: string, count: number) =>
      `${name} decides ${total} ${several(count, 'finding', 'findings')}.`,
    impossible: (filters: readonly string[]) =>
      `A rule cannot have ${filters.join(', ')}: what it decides would change by itself. Take that filter away first.`,
    filters: {
      q: 'the search for words',
      kev: 'whether it is exploited',
      min_epss: 'EPSS',
      overdue: 'whether it is overdue',
      has_owner: 'whether anybody owns it',
      detected_since: 'a time of detection',
    },
    title: (count: number) => `${count} standing ${several(count, 'rule', 'rules')}`,
    label: 'Standing rules',
    everything: 'everything',
    expired: 'expired',
    end: 'End',
    endOf: (name: string) => `End the rule ${name}`,
    columns: {
      name: 'Rule',
      selects: 'Selects',
      decision: 'Decides',
      decides: 'Findings',
      until: 'Until',
      end: 'Change',
    },
  },
} as const;
