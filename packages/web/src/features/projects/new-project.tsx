import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { ApiError, problemOf } from '../../api/errors';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
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
  return (
    <FormDialog
      title={text.projects.create}
      submit={text.projects.create}
      sending={creating}
      explained={problem !== undefined}
      onClose={onClose}
    >
      <TextField
        label={text.projects.name}
        problem={problem}
        autoFocus
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}
