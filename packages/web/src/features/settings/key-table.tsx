import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { me } from '../../app/own-rights';
import { Button } from '../../components/button';
import { FormDialog } from '../../components/form-dialog';
import { formatDay, personName } from '../../components/format';
import { Ago, Clock, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { ProjectLink } from './project-link';

export const keysKey = ['keys'] as const;

type Key = Schemas['ApiKeyResponse'];

interface KeyTableProps {
  label: string;
  rows: readonly Key[];
  onRevoke: (key: Key) => void;
}

/** Keys, each with what it may do where, and who it is of, if it is somebody's own. */
export function KeyTable({ label, rows, onRevoke }: KeyTableProps) {
  const { data: caller } = useQuery(me());
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: text.keys.name,
          cell: ({ id, name, owner }) => (
            <>
              <b>{name ?? text.keys.noName}</b>
              {owner && ` ${personName(owner)}`}
              {caller?.id === id && (
                <>
                  {' '}
                  <Tag>{text.keys.current}</Tag>
                </>
              )}
            </>
          ),
        },
        { name: text.keys.prefix, cell: ({ prefix }) => <code>{prefix}</code> },
        {
          name: text.keys.scopes,
          cell: ({ scopes }) =>
            scopes.length > 0 ? (
              <Tag>{scopes.join(', ')}</Tag>
            ) : (
              <Tag kind="warn">{text.keys.all}</Tag>
            ),
        },
        {
          name: text.keys.project,
          cell: ({ project_id }) =>
            project_id ? <ProjectLink id={project_id} /> : text.keys.everyProject,
        },
        {
          name: text.keys.used,
          secondary: true,
          cell: ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} /> : text.keys.never),
        },
        {
          name: text.keys.expires,
          secondary: true,
          cell: ({ expires_at }) =>
            expires_at ? formatDay(expires_at) : <Tag kind="warn">{text.keys.never}</Tag>,
        },
        {
          name: text.keys.revoke,
          align: 'right',
          cell: (key) => (
            <Button
              kind="danger"
              aria-label={text.keys.revokeName(key.name ?? key.prefix)}
              onClick={() => onRevoke(key)}
            >
              {text.keys.revoke}
            </Button>
          ),
        },
      ]}
    />
  );
}

interface RevokeKeyProps {
  apiKey: Key;
  revoke: (id: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a key is revoked, by its name. */
export function RevokeKey({ apiKey, revoke, onClose }: RevokeKeyProps) {
  const queries = useQueryClient();
  const { data: caller } = useQuery(me());
  const revoking = useMutation({
    mutationFn: () => revoke(apiKey.id),
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
      {caller?.id === apiKey.id && <p>{text.keys.revokeCurrent}</p>}
      <p>
        {text.keys.used}:{' '}
        {apiKey.last_used_at ? <Clock at={apiKey.last_used_at} /> : text.keys.never}
      </p>
    </FormDialog>
  );
}
