import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { notify } from '../components/toasts';
import { oneOf } from '../features/upload/dropped';
import { text } from '../text/en';
import { hasFiles, keepPage } from './kept-page';
import { useMay } from './own-rights';
import styles from './shell.module.css';

const UploadDialog = lazy(() =>
  import('../features/upload/upload-dialog').then((module) => ({ default: module.UploadDialog })),
);

/** A document that is dropped anywhere on the page is uploaded, or refused to those who may not. */
export function DropAnywhere() {
  const mayUpload = useMay('upload');
  const { slug } = useParams({ strict: false });
  const [isOver, setIsOver] = useState(false);
  /** `at` tells one drop from the next: what was found in a document is not said of another one. */
  const [dropped, setDropped] = useState<{ file: File; at: number } | null>(null);
  useEffect(() => {
    if (!mayUpload) return keepPage(() => notify(text.upload.mayNot));
    const listening = new AbortController();
    const listen = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(name, act, { signal: listening.signal });
    listen('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    });
    listen('dragleave', ({ relatedTarget }) => relatedTarget ?? setIsOver(false));
    listen('drop', (event) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      const file = oneOf([...(event.dataTransfer?.files ?? [])], false);
      if (file) setDropped({ file, at: event.timeStamp });
    });
    // Also for what a part of the page takes itself.
    addEventListener('drop', () => setIsOver(false), { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, [mayUpload]);
  return (
    <>
      {isOver && <div className={styles.dropHere}>{text.upload.dropHere}</div>}
      {dropped && (
        <Suspense>
          <UploadDialog
            key={dropped.at}
            file={dropped.file}
            slug={slug}
            onClose={() => setDropped(null)}
          />
        </Suspense>
      )}
    </>
  );
}
