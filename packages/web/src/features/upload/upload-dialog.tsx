import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors';
import { Button } from '../../components/button';
import controls from '../../components/controls.module.css';
import { Dialog, DialogActions } from '../../components/dialog';
import { text } from '../../text/en';
import { ProjectField } from '../projects/project-field';
import { projectBySlug } from '../projects/projects-queries';
import { UploadFields } from './upload-fields';
import { UploadProgress } from './upload-progress';
import { useUpload } from './use-upload';

interface UploadDialogProps {
  file: File;
  /** The project whose view the file was dropped on. */
  slug: string | undefined;
  onClose: () => void;
}

/** Asks where a dropped document belongs, sends it, and shows what was found. */
export function UploadDialog({ file, slug, onClose }: UploadDialogProps) {
  const here = useQuery({ ...projectBySlug(slug ?? ''), enabled: slug !== undefined }).data?.id;
  const [chosen, setChosen] = useState<string | null>(null);
  const [naming, setNaming] = useState({ serviceName: '', version: '' });
  const { state, send, isBusy, error } = useUpload();
  const projectId = chosen ?? here ?? '';
  const isDone = state.step === 'done' || state.step === 'unread';
  return (
    <Dialog title={text.upload.titleOf(file.name)} onClose={onClose}>
      <form
        className={controls.form}
        onSubmit={(event) => {
          event.preventDefault();
          void send(file, { projectId, ...naming });
        }}
      >
        {!isDone && (
          <>
            <ProjectField
              label={text.upload.project}
              problem={problemOf(error, 'project_id')}
              value={projectId}
              empty={text.upload.chooseProject}
              onChange={setChosen}
            />
            <UploadFields value={naming} error={error} onChange={setNaming} />
          </>
        )}
        <UploadProgress state={state} />
        <DialogActions>
          <Button onClick={onClose}>{isDone ? text.common.close : text.common.cancel}</Button>
          {!isDone && (
            <Button kind="primary" type="submit" disabled={projectId === ''} unavailable={isBusy}>
              {text.upload.submit}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}
