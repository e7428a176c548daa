import type { Remediation, RemediationPage } from '@bomtrail/api-client';
import { csvLines } from '@bomtrail/csv';
import { counted } from './clean-text';
import { code } from './reports/markdown';
import { table } from './table';

type Sum = Remediation['closes'];
type Upgrade = Remediation['upgrades'][number];

const reasons: Record<NonNullable<Upgrade['reason']>, string> = {
  no_fixed_version: 'no fixed version is known',
  malicious: 'malicious: remove it',
  prerelease_only: 'fixed in prereleases only',
  opens_vulnerabilities: 'fixed versions have other vulnerabilities',
  undetermined: 'no fixed version can be judged',
  not_judged: 'its versions cannot be judged',
};

const head = [
  'Package',
  'Upgrade',
  'Closes',
  'Risk',
  'KEV',
  'Leaves',
  'Further',
  'Through',
  'Services',
];

/** The plan as a table, one line for each package. */
export function planTable(items: readonly Remediation[]): string {
  return table(head, items.map(cells));
}

/** The plan in the Markdown of GitHub and GitLab. */
export function planMarkdown(where: string, page: RemediationPage): string {
  const lines = [
    `### Upgrades for ${code(where)}`,
    '',
    `Close ${counts(page.closes)}, leave ${counts(page.remains)}.`,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...page.items.map((item) => `| ${cells(item).map(code).join(' | ')} |`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The plan as CSV, one line for each upgrade. */
export function planCsv(items: readonly Remediation[]): string {
  const rows = items.flatMap((item) =>
    item.upgrades.map((upgrade) => [
      ...[item.package_name, item.ecosystem, upgrade.release, upgrade.source_package],
      ...[upgrade.from.join(' '), upgrade.to, String(upgrade.is_major), upgrade.reason],
      ...[item.closes.total, item.closes.risk, item.closes.kev, item.closes.max_epss],
      ...[item.closes.ids.join(' '), item.remains.total, item.remains.ids.join(' ')],
      item.major_step?.upgrades.map(({ from, to }) => `${from.join(' ')} > ${to}`).join('; ') ??
        null,
      ...[item.major_step?.closes.total ?? 0, item.service_count, String(item.is_direct)],
      through(item).join(' '),
    ]),
  );
  return csvLines([columns, ...rows]);
}

const columns = [
  ...['package_name', 'ecosystem', 'release', 'source_package', 'from', 'to', 'is_major', 'reason'],
  ...['closes', 'risk', 'kev', 'max_epss', 'closes_ids', 'remains', 'remains_ids'],
  ...['major_step', 'major_step_closes', 'service_count', 'is_direct'],
  'direct_dependencies',
];

function cells(item: Remediation): string[] {
  return [
    item.package_name,
    item.upgrades.map(upgradeText).join('; '),
    counts(item.closes),
    item.closes.risk.toFixed(1),
    String(item.closes.kev),
    counts(item.remains),
    item.major_step
      ? `${item.major_step.upgrades.map(({ to }) => to).join(', ')}: ${counts(item.major_step.closes)}`
      : '',
    through(item).join(', '),
    String(item.service_count),
  ];
}

/** The direct dependencies that bring the package, where they are known. */
function through({ direct_dependencies }: Remediation): string[] {
  return (direct_dependencies ?? []).map(({ name, version }) => `${name}@${version}`);
}

function upgradeText({ from, to, is_major, reason }: Upgrade): string {
  const versions = from.length > 3 ? `${from.slice(0, 3).join(', ')}, …` : from.join(', ');
  if (to === null) return `${versions}: ${reason ? reasons[reason] : 'none'}`;
  return `${versions} → ${to}${is_major ? ' (major)' : ''}`;
}

/** `3 (1 critical, 2 high)`. */
function counts({ total, counts: by }: Sum): string {
  const severe = (['critical', 'high'] as const).flatMap((severity) =>
    by[severity] > 0 ? [`${by[severity]} ${severity}`] : [],
  );
  return severe.length > 0 ? `${total} (${severe.join(', ')})` : String(total);
}

/** The summary line. @param doubt why vulnerabilities may be missing; null: none are */
export function planLine(where: string, page: RemediationPage, doubt: string | null): string {
  const shown = page.items.length;
  const part = shown < page.total ? `, ${shown} shown` : '';
  const but = doubt === null ? '' : `, but ${doubt}`;
  const incomplete = page.complete ? '' : '; incomplete, too many vulnerabilities';
  return `PLANNED ${where}: ${counted(page.total, 'package')}${part}; upgrades close ${counts(page.closes)}, leave ${counts(page.remains)}${incomplete}${but} (advisories: ${page.advisory_data})`;
}
