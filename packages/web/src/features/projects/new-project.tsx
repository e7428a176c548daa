import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, bodyOf } from '../../api/client';
import { ApiError, problemOf } from '../../api/errors';
import { Button } from '../../components/button';
import { Dialog, DialogActions } from '../../components/dialog';
import { ErrorNote } from '../../components/error-note';
import { Field } from '../../components/field';
import { text } from '../../text/en';
import { projectsKey } from './projects-queries';

/** Creates a project and goes to it. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const creating = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/projects', { body: { name } })),
    onSuccess: async ({ slug }) => {
      await queries.invalidateQueries({ queryKey: projectsKey });
      await navigate({ to: '/projects/$slug', params: { slug } });
    },
  });
  const { error } = creating;
  const taken = error instanceof ApiError && error.status === 409 ? error.message : undefined;
  const problem = problemOf(error, 'name') ?? taken;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog title={text.projects.create} onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        <Field label={text.projects.name} problem={problem}>
          {(props) => (
            <input
              {...props}
              autoFocus
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        {error && !problem && <ErrorNote error={error} />}
        <DialogActions>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" disabled={creating.isPending}>
            {text.projects.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
