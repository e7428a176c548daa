import { several } from './several';

/** Text of the upgrade plan; part of `en.ts`. */
export const planText = {
  plan: {
    nav: 'Plan',
    loading: 'Upgrade plan',
    title: (closed: string, all: string) => `Upgrades close ${closed} of ${all} findings`,
    lead: (remaining: string, count: number, complete: boolean) =>
      `By the risk that each removes. Each goes to the lowest version that closes most findings of a package, so it can be above the one that fixes a single finding. ${remaining} ${several(count, 'finding remains', 'findings remain')} without a known upgrade.${complete ? '' : ' Not everything fits into one plan: narrow it to a project.'}`,
    label: 'Upgrade plan',
    empty: 'Nothing to upgrade',
    copy: 'Copy as Markdown',
    copied: 'The plan is in the clipboard, as a list of tasks.',
    copiedPage: (page: number, pages: number) =>
      `Page ${page} of ${pages} of the plan is in the clipboard, as a list of tasks. Copy the others by themselves.`,
    notCopied: 'Not copied: the browser allows it only over HTTPS and with your permission.',
    moreServices: (count: number) => `${count} more ${several(count, 'service', 'services')}`,
    columns: {
      package: 'Package',
      step: 'Upgrade',
      closes: 'Closes',
      remains: 'Leaves',
      risk: 'Risk removed',
      services: 'Services',
    },
    reasons: {
      no_fixed_version: 'no fixed version known',
      malicious: 'malicious: remove it',
      prerelease_only: 'fixed in a prerelease only',
      opens_vulnerabilities: 'every fix opens something else',
      undetermined: 'fix cannot be judged',
      not_judged: 'versions cannot be judged',
    },
  },
} as const;
