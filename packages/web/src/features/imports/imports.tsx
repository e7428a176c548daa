import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Ago, Empty } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { ImportStatus } from './import-status';
import { importsPage } from './imports-queries';

type Import = Schemas['Import'];

/** Imports from other programs: what came, and whether they are complete. */
export function Imports() {
  const search = useSearch({ from: '/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const page = Number(search.page ?? 1);
  return (
    <Loaded query={useQuery(importsPage(page))} lines={6}>
      {({ items, total_pages }) => (
        <>
          {items.length === 0 ? (
            <Empty title={text.imports.empty}>{text.imports.emptyWhy}</Empty>
          ) : (
            <Rows rows={items} />
          )}
          <Pager
            page={page}
            totalPages={total_pages}
            onPage={(next) => void navigate({ search: { page: String(next) } })}
          />
        </>
      )}
    </Loaded>
  );
}

function Rows({ rows }: { rows: readonly Import[] }) {
  const { columns } = text.imports;
  return (
    <Table
      label={text.settings.sections.imports}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: columns.source,
          cell: ({ id, source, source_version, created_at }) => (
            <>
              <Link to="/imports/$importId" params={{ importId: id }}>
                {text.imports.nameOf(source, source_version)}
              </Link>{' '}
              <Ago at={created_at} />
            </>
          ),
        },
        { name: columns.status, cell: ({ status }) => <ImportStatus status={status} /> },
        {
          name: columns.projects,
          align: 'right',
          cell: ({ totals }) => formatNumber(totals.projects),
        },
        {
          name: columns.versions,
          align: 'right',
          cell: ({ totals }) => text.imports.of(totals.uploaded, totals.versions),
        },
        {
          name: columns.unmatched,
          align: 'right',
          secondary: true,
          cell: ({ totals }) => formatNumber(totals.unmatched + totals.refused),
        },
      ]}
    />
  );
}
