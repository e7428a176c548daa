import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { formatShare } from '../../components/format';
import { Empty, Tag } from '../../components/parts';
import { severities } from '../../components/severity-order';
import { SeverityBadge } from '../../components/severity';
import { Table } from '../../components/table';
import { text } from '../../text/en';

/** More are in the list of findings. */
const mostRows = 300;

/** The findings of one SBOM, the worst first. */
export function SbomFindings({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const found = [...sbom.vulnerabilities].sort(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      (other.risk ?? 0) - (one.risk ?? 0),
  );
  if (found.length === 0) {
    const why = sbom.advisory_data === 'none' ? text.findings.emptyWithoutData : text.sbom.cleanWhy;
    return (
      <Empty title={sbom.scan_status === 'scanned' ? text.sbom.clean : text.sbom.notYet}>
        {why}
      </Empty>
    );
  }
  return (
    <Table
      label={text.findings.label}
      rows={found.slice(0, mostRows)}
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
              <Link to="/findings" search={{ finding: id, status: 'open,accepted,fixed', cve_id }}>
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
