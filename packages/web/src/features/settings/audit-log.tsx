import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { personName } from '../../components/format';
import { Pager } from '../../components/pager';
import { Clock, Empty, Skeleton, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { AuditTarget } from './audit-target';

function auditPage(page: number) {
  return queryOptions({
    queryKey: ['audit', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/audit', { params: { query: { page, per_page: 50 } }, signal })),
    retry: false,
  });
}

/** Who changed what, the latest first. */
export function AuditLog() {
  const search = useSearch({ from: '/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const page = Number(search.page ?? 1);
  const { data, error } = useQuery(auditPage(page));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={10} />;
  if (data.items.length === 0) return <Empty title={text.audit.empty} />;
  return (
    <>
      <Table
        label={text.settings.sections.audit}
        rows={data.items}
        keyOf={({ id }) => id}
        columns={[
          { name: text.audit.at, cell: ({ at }) => <Clock at={at} /> },
          { name: text.audit.operation, cell: ({ operation }) => <b>{operation}</b> },
          { name: text.audit.object, cell: (entry) => <AuditTarget entry={entry} /> },
          {
            name: text.audit.key,
            cell: ({ key_name, key_prefix, person }) =>
              person ? personName(person) : (key_name ?? key_prefix ?? '–'),
          },
          {
            name: text.audit.outcome,
            cell: ({ outcome, code }) => (
              <>
                <Tag kind={outcome === 'succeeded' ? 'good' : 'bad'}>
                  {text.audit.outcomes[outcome]}
                </Tag>{' '}
                {code}
              </>
            ),
          },
          {
            name: text.audit.address,
            secondary: true,
            cell: ({ client_address }) => client_address ?? '–',
          },
        ]}
      />
      <Pager
        page={page}
        totalPages={data.total_pages}
        onPage={(next) => void navigate({ search: { page: String(next) } })}
      />
    </>
  );
}
