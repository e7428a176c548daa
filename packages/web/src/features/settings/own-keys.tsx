import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { Loaded } from '../../components/loaded';
import { Empty } from '../../components/parts';
import { text } from '../../text/en';
import { KeyTable, keysKey, RevokeKey } from './key-table';
import { NewKey } from './new-key';

/** A person has at most 20. */
const ownKeys = queryOptions({
  queryKey: [...keysKey, 'own'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/me/api-keys', { params: { query: { per_page: 50 } }, signal })),
});

const scopes = ['read', 'upload', 'write'] as const;

/** The keys that a person makes for themselves. */
export function OwnKeys() {
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Schemas['ApiKeyResponse'] | null>(null);
  return (
    <>
      <div>
        <Button kind="primary" onClick={() => setCreating(true)}>
          {text.keys.create}
        </Button>
      </div>
      <Loaded query={useQuery(ownKeys)} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={text.keys.none}>{text.keys.ownHint}</Empty>
          ) : (
            <KeyTable
              label={text.settings.sections['own-keys']}
              rows={items}
              onRevoke={setRevoking}
            />
          )
        }
      </Loaded>
      {creating && (
        <NewKey
          scopes={scopes}
          names={text.keys.ownScopes}
          hint={text.keys.ownHint}
          create={(body) => bodyOf(api.POST('/api/v1/me/api-keys', { body }))}
          onClose={() => setCreating(false)}
        />
      )}
      {revoking && (
        <RevokeKey apiKey={revoking} revoke={revokeOwn} onClose={() => setRevoking(null)} />
      )}
    </>
  );
}

function revokeOwn(api_key_id: string) {
  const params = { path: { api_key_id } };
  return bodyOf(api.DELETE('/api/v1/me/api-keys/{api_key_id}', { params }));
}
