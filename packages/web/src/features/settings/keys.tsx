import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { Pager } from '../../components/pager';
import { Skeleton } from '../../components/parts';
import { text } from '../../text/en';
import { KeyTable, keysKey, RevokeKey } from './key-table';
import { NewKey } from './new-key';

const scopes = ['read', 'upload', 'write', 'admin'] as const;

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
  // What is there stays, and with it the secret of a key that was just created.
  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <>
      <div>
        <Button kind="primary" onClick={() => setCreating(true)}>
          {text.keys.create}
        </Button>
      </div>
      <KeyTable label={text.settings.sections.keys} rows={data.items} onRevoke={setRevoking} />
      <Pager
        page={page}
        totalPages={data.total_pages}
        onPage={(next) => void navigate({ search: { page: String(next) } })}
      />
      {creating && (
        <NewKey
          scopes={scopes}
          create={(body) => bodyOf(api.POST('/api/v1/api-keys', { body }))}
          onClose={() => setCreating(false)}
        />
      )}
      {revoking && (
        <RevokeKey apiKey={revoking} revoke={revokeKey} onClose={() => setRevoking(null)} />
      )}
    </>
  );
}

function revokeKey(api_key_id: string) {
  return bodyOf(api.DELETE('/api/v1/api-keys/{api_key_id}', { params: { path: { api_key_id } } }));
}
