import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Empty, Section, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import {
  licenceCounts,
  licenceGroups,
  type LicenceCount,
  type LicenceGroup,
} from './licence-counts';

/** More are in the list of dependencies. */
const mostRows = 300;

/** The licences of one SBOM by what they ask for; unknown is unknown, not allowed. */
export function Licences({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const counts = useMemo(() => licenceCounts(sbom.dependencies), [sbom.dependencies]);
  if (counts.length === 0) return <Empty title={text.licences.nothing} />;
  return (
    <>
      {licenceGroups.map((group) => (
        <Group
          key={group}
          group={group}
          sbomId={sbom.id}
          rows={counts.filter((one) => one.group === group)}
        />
      ))}
    </>
  );
}

interface GroupProps {
  group: LicenceGroup;
  sbomId: string;
  rows: readonly LicenceCount[];
}

function Group({ group, sbomId, rows }: GroupProps) {
  if (rows.length === 0) return null;
  const title = text.licences.groups[group];
  const total = rows.reduce((sum, { components }) => sum + components, 0);
  return (
    <Section
      title={`${title} ${formatNumber(total)}`}
      aside={
        <Link to="/search" search={{ q: `license:${group}` }}>
          {text.licences.elsewhere}
        </Link>
      }
    >
      <p>{text.licences.means[group]}</p>
      <Table
        label={title}
        rows={rows}
        most={mostRows}
        keyOf={({ license }) => license ?? ''}
        columns={[
          {
            name: text.licences.columns.licence,
            cell: ({ license }) =>
              license === null ? (
                <Tag kind="warn">{text.licences.none}</Tag>
              ) : (
                <Link
                  to="/sboms/$sbomId"
                  params={{ sbomId }}
                  search={{ tab: 'dependencies', q: license }}
                >
                  {license}
                </Link>
              ),
          },
          {
            name: text.licences.columns.components,
            align: 'right',
            cell: ({ components }) => formatNumber(components),
          },
          { name: text.licences.columns.example, secondary: true, cell: ({ example }) => example },
        ]}
      />
    </Section>
  );
}
