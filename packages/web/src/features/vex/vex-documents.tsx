import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Ago, Section, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { VexImport } from './vex-import';
import { vexDocuments } from './vex-queries';

/** The VEX documents that apply in a project, and the import of another one; nothing without either. */
export function VexDocuments({ projectId }: { projectId: string }) {
  const [page, setPage] = useState(1);
  const mayDecide = useMay('decide', projectId);
  return (
    <Loaded query={useQuery(vexDocuments(projectId, page))} lines={2}>
      {(found) =>
        found.total === 0 && !mayDecide ? null : (
          <Section title={text.vexDocuments.documents(formatNumber(found.total), found.total)}>
            {found.total > 0 && <Rows rows={found.items} />}
            <Pager page={page} totalPages={found.total_pages} onPage={setPage} />
            {mayDecide && <VexImport projectId={projectId} />}
          </Section>
        )
      }
    </Loaded>
  );
}

function Rows({ rows }: { rows: readonly Schemas['VexDocument'][] }) {
  return (
    <Table
      label={text.vexDocuments.documentsLabel}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: text.vexDocuments.columns.document,
          cell: ({ id, document_id, project_id }) => (
            <>
              <Link to="/vex/$vexId" params={{ vexId: id }}>
                <b>{document_id}</b>
              </Link>{' '}
              {project_id === null && <Tag>{text.vexDocuments.everywhere}</Tag>}
            </>
          ),
        },
        { name: text.vexDocuments.columns.version, cell: ({ version }) => version },
        { name: text.vexDocuments.columns.author, secondary: true, cell: ({ author }) => author },
        {
          name: text.vexDocuments.columns.statements,
          align: 'right',
          cell: ({ statements }) => formatNumber(statements),
        },
        {
          name: text.vexDocuments.columns.changed,
          align: 'right',
          secondary: true,
          cell: ({ updated_at }) => <Ago at={updated_at} />,
        },
      ]}
    />
  );
}
