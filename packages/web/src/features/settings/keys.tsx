import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { FormDialog } from '../../components/form-dialog';
import { formatDay } from '../../components/format';
import { Pager } from '../../components/pager';
import { Ago, Skeleton, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { NewKey } from './new-key';

export const keysKey = ['keys'] as const;

function keysPage(page: number) {
  return queryOptions({
    queryKey: [...keysKey, page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/api-keys', { params: { query: { page, per_page: 50 } }, signal })),
    retry: false,
  });
}

/** The API keys: create, and revoke by name. */
export function Keys() {
  const search = useSearch({ from: '/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Schemas['ApiKeyResponse'] | null>(null);
  const page = Number(search.page ?? 1);
  const { data, error } = useQuery(keysPage(page));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <>
      <div>
        <Button kind="primary" onClick={() => setCreating(true)}>
          {text.keys.create}
        </Button>
      </div>
      <Table
        label={text.settings.sections.keys}
        rows={data.items}
        keyOf={({ id }) => id}
        columns={[
          { name: text.keys.name, cell: ({ name }) => <b>{name ?? text.keys.noName}</b> },
          { name: text.keys.prefix, cell: ({ prefix }) => <code>{prefix}</code> },
          {
            name: text.keys.scopes,
            cell: ({ scopes }) => (
              <Tag>{scopes.length > 0 ? scopes.join(', ') : text.keys.all}</Tag>
            ),
          },
          {
            name: text.keys.used,
            secondary: true,
            cell: ({ last_used_at }) =>
              last_used_at ? <Ago at={last_used_at} /> : text.keys.never,
          },
          {
            name: text.keys.expires,
            secondary: true,
            cell: ({ expires_at }) => (expires_at ? formatDay(expires_at) : text.keys.never),
          },
          {
            name: text.keys.revoke,
            align: 'right',
            cell: (key) => (
              <Button kind="quiet" onClick={() => setRevoking(key)}>
                {text.keys.revoke}
              </Button>
            ),
          },
        ]}
      />
      <Pager
        page={page}
        totalPages={data.total_pages}
        onPage={(next) => void navigate({ search: { page: String(next) } })}
      />
      {creating && <NewKey onClose={() => setCreating(false)} />}
      {revoking && <Revoke apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: Schemas['ApiKeyResponse']; onClose: () => void }) {
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () =>
      bodyOf(
        api.DELETE('/api/v1/api-keys/{api_key_id}', {
          params: { path: { api_key_id: apiKey.id } },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keysKey });
      onClose();
    },
  });
  const name = apiKey.name ?? apiKey.prefix;
  return (
    <FormDialog
      title={text.keys.revokeTitle(name)}
      submit={text.keys.revokeName(name)}
      danger
      sending={revoking}
      onClose={onClose}
    >
      <p>{text.keys.revokeWhy}</p>
    </FormDialog>
  );
}
