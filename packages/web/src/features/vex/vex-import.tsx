import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button as AriaButton, DropZone, FileTrigger } from 'react-aria-components';
import { api, bodyOf } from '../../api/client';
import controls from '../../components/controls.module.css';
import { ErrorNote } from '../../components/error-note';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { filesOf, oneOf } from '../upload/dropped';
import styles from './vex.module.css';

/** Drop or choose a VEX document of a project; its own view then says what each statement decided, or why not. */
export function VexImport({ projectId }: { projectId: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const importing = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set('project_id', projectId);
      form.set('file', file);
      return bodyOf(api.POST('/api/v1/vex', { body: { file: '' }, bodySerializer: () => form }));
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['vex'] });
      await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
      void navigate({ to: '/vex/$vexId', params: { vexId: id } });
    },
  });
  const take = (files: readonly File[]) => {
    const file = oneOf(files, importing.isPending);
    if (file) importing.mutate(file);
  };
  return (
    <DropZone
      className={styles.import ?? ''}
      aria-label={text.vexDocuments.import.title}
      onDrop={({ items }) => void filesOf(items).then(take)}
    >
      <FileTrigger onSelect={(files) => take([...(files ?? [])])}>
        <AriaButton className={controls.button ?? ''} isPending={importing.isPending}>
          {importing.isPending ? text.vexDocuments.import.busy : text.vexDocuments.import.choose}
        </AriaButton>
      </FileTrigger>
      <span className={styles.faint}>{text.vexDocuments.import.drop}</span>
      {importing.error && <ErrorNote error={importing.error} />}
    </DropZone>
  );
}
