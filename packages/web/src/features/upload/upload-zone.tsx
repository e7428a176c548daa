import { useState } from 'react';
import { Button as AriaButton, DropZone, FileTrigger } from 'react-aria-components';
import type { Schemas } from '../../api/client';
import controls from '../../components/controls.module.css';
import { text } from '../../text/en';
import { filesOf, oneOf } from './dropped';
import { UploadFields } from './upload-fields';
import { UploadProgress } from './upload-progress';
import styles from './upload.module.css';
import { useUpload } from './use-upload';

/** Drop a document of a project: it is sent, scanned, and the result stands in its place. */
export function UploadZone({ project }: { project: Schemas['ProjectResponse'] }) {
  const [naming, setNaming] = useState({ serviceName: '', version: '' });
  const { state, send, isBusy, error } = useUpload();
  const take = (files: readonly File[]) => {
    const file = oneOf(files, isBusy);
    if (file) void send(file, { projectId: project.id, ...naming });
  };
  return (
    <DropZone
      className={styles.drop ?? ''}
      aria-label={text.upload.title}
      onDrop={({ items }) => void filesOf(items).then(take)}
    >
      <UploadFields value={naming} error={error} onChange={setNaming} />
      <div className={styles.choose}>
        <FileTrigger onSelect={(files) => take([...(files ?? [])])}>
          <AriaButton className={`${controls.button} ${controls.primary}`}>
            {text.upload.choose}
          </AriaButton>
        </FileTrigger>
        <span className={styles.faint}>{text.upload.drop}</span>
      </div>
      <UploadProgress state={state} />
    </DropZone>
  );
}
