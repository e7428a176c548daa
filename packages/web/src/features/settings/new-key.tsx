import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { problemOf } from '../../api/errors';
import { Button } from '../../components/button';
import { Dialog, DialogActions } from '../../components/dialog';
import { ErrorNote } from '../../components/error-note';
import { Field } from '../../components/field';
import { text } from '../../text/en';
import styles from './settings.module.css';

const scopes = ['read', 'upload', 'write', 'admin'] as const;

/** Creates a key, and shows its secret once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Schemas['ApiKeyScope'][]>(['read']);
  const creating = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/api/v1/api-keys', { body: { name: name || null, scopes: [...chosen] } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (creating.data) {
    return (
      <Dialog title={text.keys.created} onClose={onClose}>
        <p>{text.keys.createdWhy}</p>
        <code className={styles.secret}>{creating.data.key}</code>
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            {text.common.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog title={text.keys.create} onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        <Field label={text.keys.name} problem={problemOf(creating.error, 'name')}>
          {(props) => (
            <input
              {...props}
              autoFocus
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <fieldset style={{ display: 'flex', gap: 16, border: 0, padding: 0, margin: 0 }}>
          <legend>{text.keys.scopes}</legend>
          {scopes.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={({ target }) =>
                  setChosen(
                    target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope),
                  )
                }
              />{' '}
              {scope}
            </label>
          ))}
        </fieldset>
        {creating.error && <ErrorNote error={creating.error} />}
        <DialogActions>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" disabled={creating.isPending || chosen.length === 0}>
            {text.keys.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
