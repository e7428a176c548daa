import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { problemOf } from '../../api/errors';
import { Button } from '../../components/button';
import controls from '../../components/controls.module.css';
import { Dialog, DialogActions } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { text } from '../../text/en';
import { keysKey } from './key-table';
import styles from './settings.module.css';

type Scope = Schemas['ApiKeyScope'];

interface NewKeyProps<S extends Scope> {
  scopes: readonly S[];
  /** What the scopes are called; absent: as the API has them. */
  names?: Readonly<Record<S, string>>;
  hint?: string;
  create: (body: { name: string | null; scopes: S[] }) => Promise<Schemas['ApiKeyCreated']>;
  onClose: () => void;
}

/** Creates a key, and shows its secret once. */
export function NewKey<S extends Scope>({ scopes, names, hint, create, onClose }: NewKeyProps<S>) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly S[]>(scopes.slice(0, 1));
  const creating = useMutation({
    mutationFn: () => create({ name: name || null, scopes: [...chosen] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keysKey }),
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
  return (
    <FormDialog
      title={text.keys.create}
      submit={text.keys.create}
      sending={creating}
      disabled={chosen.length === 0}
      onClose={onClose}
    >
      {hint && <p>{hint}</p>}
      <TextField
        label={text.keys.name}
        problem={problemOf(creating.error, 'name')}
        autoFocus
        value={name}
        onChange={setName}
      />
      <fieldset className={controls.group}>
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
            {names?.[scope] ?? scope}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
