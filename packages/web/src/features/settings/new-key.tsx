import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { problemOf } from '../../api/errors';
import { Button } from '../../components/button';
import controls from '../../components/controls.module.css';
import { Dialog, DialogActions } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
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
  return (
    <FormDialog
      title={text.keys.create}
      submit={text.keys.create}
      sending={creating}
      disabled={chosen.length === 0}
      onClose={onClose}
    >
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
            {scope}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
