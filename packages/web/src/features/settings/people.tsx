import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { FormDialog } from '../../components/form-dialog';
import { formatNumber, personName } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Ago, Empty } from '../../components/parts';
import { Table } from '../../components/table';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';

type Known = Schemas['KnownPerson'];
const peopleKey = ['people'] as const;

function peoplePage(page: number) {
  return queryOptions({
    queryKey: [...peopleKey, page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/people', { params: { query: { page, per_page: 50 } }, signal })),
  });
}

/** Who was here, with their sessions, which an administrator ends. */
export function People() {
  const search = useSearch({ from: '/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const [ending, setEnding] = useState<Known | null>(null);
  const page = Number(search.page ?? 1);
  return (
    <Loaded query={useQuery(peoplePage(page))} lines={6}>
      {({ items, total_pages }) => (
        <>
          {items.length === 0 ? (
            <Empty title={text.people.empty} />
          ) : (
            <Rows rows={items} onEnd={setEnding} />
          )}
          <Pager
            page={page}
            totalPages={total_pages}
            onPage={(next) => void navigate({ search: { page: String(next) } })}
          />
          {ending && <EndSessions known={ending} onClose={() => setEnding(null)} />}
        </>
      )}
    </Loaded>
  );
}

function Rows({ rows, onEnd }: { rows: readonly Known[]; onEnd: (known: Known) => void }) {
  return (
    <Table
      label={text.people.label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: text.people.person,
          cell: (known) => (
            <>
              <b>{personName(known.person)}</b> {known.person.name !== null && known.person.email}
            </>
          ),
        },
        {
          name: text.people.confirmed,
          secondary: true,
          cell: ({ confirmed_at }) => <Ago at={confirmed_at} />,
        },
        {
          name: text.people.sessions,
          align: 'right',
          cell: ({ sessions }) => formatNumber(sessions),
        },
        {
          name: text.people.keys,
          align: 'right',
          cell: ({ own_keys }) => formatNumber(own_keys),
        },
        {
          name: text.people.end,
          align: 'right',
          cell: (known) => (
            <Button
              kind="quiet"
              aria-label={text.people.endOf(personName(known.person))}
              unavailable={known.sessions + known.own_keys === 0}
              onClick={() => onEnd(known)}
            >
              {text.people.end}
            </Button>
          ),
        },
      ]}
    />
  );
}

function EndSessions({ known, onClose }: { known: Known; onClose: () => void }) {
  const queries = useQueryClient();
  const [keys, setKeys] = useState(false);
  const ending = useMutation({
    mutationFn: () =>
      bodyOf(
        api.DELETE('/api/v1/people/{person_id}/sessions', {
          params: { path: { person_id: known.id }, query: { keys } },
        }),
      ),
    onSuccess: async ({ sessions_ended, keys_revoked }) => {
      notify(text.people.ended(sessions_ended, keys_revoked));
      onClose();
      await queries.invalidateQueries({ queryKey: peopleKey });
    },
  });
  return (
    <FormDialog
      title={text.people.endTitle(personName(known.person))}
      submit={text.people.submit}
      danger
      sending={ending}
      onClose={onClose}
    >
      <p>{text.people.endWhy}</p>
      <label>
        <input type="checkbox" checked={keys} onChange={({ target }) => setKeys(target.checked)} />{' '}
        {text.people.endKeys}
      </label>
    </FormDialog>
  );
}
