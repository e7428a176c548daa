import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { formatShare } from '../../components/format';
import { Tag } from '../../components/parts';
import { severities } from '../../components/severity-order';
import { SeverityBadge } from '../../components/severity';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { everyStatus } from '../findings/findings-search';

type Finding = Schemas['BriefVulnerability'];

/** More are in the list of findings. */
const mostRows = 300;

interface FindingsTableProps {
  label: string;
  found: readonly Finding[];
}

/** Findings of an SBOM, the worst first, each a link to its panel. */
export function FindingsTable({ label, found }: FindingsTableProps) {
  const rows = [...found].sort(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      (other.risk ?? 0) - (one.risk ?? 0),
  );
  return (
    <Table
      label={label}
      rows={rows}
      most={mostRows}
      cutNote={text.sbom.moreFindings}
      keyOf={({ id }) => id}
      columns={[
        {
          name: text.findings.columns.severity,
          cell: ({ severity, cvss_score }) => (
            <SeverityBadge severity={severity} score={cvss_score} />
          ),
        },
        {
          name: text.findings.columns.id,
          cell: ({ id, cve_id, kev }) => (
            <>
              <Link to="/findings" search={{ finding: id, status: everyStatus, cve_id }}>
                <b>{cve_id}</b>
              </Link>{' '}
              {kev && <Tag kind="bad">{text.findings.kev}</Tag>}
            </>
          ),
        },
        {
          name: text.findings.columns.package,
          cell: ({ package_name, package_version, fixed_versions }) =>
            `${package_name} ${package_version} → ${fixed_versions[0] ?? text.findings.noFix}`,
        },
        {
          name: text.findings.columns.epss,
          align: 'right',
          secondary: true,
          cell: ({ epss_score }) => (epss_score === null ? '–' : formatShare(epss_score)),
        },
        {
          name: text.findings.columns.state,
          secondary: true,
          cell: ({ status }) => <Tag>{text.status[status]}</Tag>,
        },
      ]}
    />
  );
}
