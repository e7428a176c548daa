import { Link } from '@tanstack/react-router';
import { Ago, Tag } from '../../components/parts';
import { Table, type Column } from '../../components/table';
import { WebLink } from '../../components/web-link';
import { text } from '../../text/en';
import { ScanTag } from './scan-tag';
import { nothingIn } from './nothing-open';
import type { Version } from './service-queries';
import { SeverityCounts } from './severity-counts';

interface VersionTableProps {
  versions: readonly Version[];
  /** Of a whole project: also says of which service each is. */
  withService?: boolean;
}

/** SBOMs, each with what it contains, its build and who uploaded it. */
export function VersionTable({ versions, withService = false }: VersionTableProps) {
  const { columns } = text.projects;
  const service: Column<Version> = {
    name: columns.service,
    cell: ({ service_name }) => service_name ?? text.common.projectLevel,
  };
  return (
    <Table
      label={text.projects.history}
      rows={versions}
      keyOf={({ id }) => id}
      columns={[
        {
          name: columns.version,
          cell: (one) => <VersionLink version={one} />,
        },
        ...(withService ? [service] : []),
        { name: columns.contains, cell: (one) => <Contents version={one} /> },
        { name: columns.build, secondary: true, cell: (one) => <Build version={one} /> },
        {
          name: columns.by,
          secondary: true,
          cell: ({ uploaded_by }) => uploaded_by?.key_name ?? uploaded_by?.key_prefix ?? '–',
        },
        {
          name: columns.uploaded,
          align: 'right',
          cell: ({ created_at }) => (created_at ? <Ago at={created_at} /> : '–'),
        },
      ]}
    />
  );
}

function VersionLink({ version: { id, version, retained } }: { version: Version }) {
  return (
    <>
      <Link to="/sboms/$sbomId" params={{ sbomId: id }}>
        <b>{version ?? text.panel.sbom}</b>
      </Link>{' '}
      {retained === false && <Tag>{text.projects.expired}</Tag>}
    </>
  );
}

function Contents({ version }: { version: Version }) {
  const { counts, scan_status } = version;
  if (scan_status !== 'scanned') return <ScanTag status={scan_status} />;
  if (!counts) return '–';
  // Also of one that retention dropped: what it contained then is a stored fact.
  const nothing =
    version.retained === false ? text.projects.noneIn : nothingIn(version, text.projects.noneIn);
  return <SeverityCounts counts={counts} nothing={nothing} />;
}

function Build({ version: { commit, build_url } }: { version: Version }) {
  if (!commit && !build_url) return '–';
  const name = commit ? <code>{commit.slice(0, 10)}</code> : text.projects.build;
  return build_url ? <WebLink to={build_url}>{name}</WebLink> : name;
}
