import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { isSignedIn } from '../../app/session';
import { uploadSbom } from '../../api/upload';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { projectsKey } from '../projects/projects-queries';
import { readSbom } from '../sboms/sbom-queries';

export type UploadState =
  | { step: 'idle' }
  | { step: 'sending'; name: string; share: number }
  | { step: 'scanning'; name: string }
  | { step: 'done'; sbom: Schemas['SBOMDetailResponse'] }
  /** Stored; how the scan ends is not known. */
  | { step: 'unread'; name: string; sbomId: string }
  | { step: 'refused'; error: unknown };

export interface UploadTarget {
  projectId: string;
  /** Empty: the name in the document. */
  serviceName: string;
  version: string;
}

/** The API waits this long (seconds) for a scan; after that the page asks again. */
const waitSeconds = 30;

/** Sends a document and follows its scan to the end. */
export function useUpload() {
  const queries = useQueryClient();
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const isSending = useRef(false);
  // Nobody is left to be told how it ends; where the session has ended the view is kept, and will tell.
  useEffect(
    () => () => {
      if (isSending.current && isSignedIn()) notify(text.errors.closedEarly);
    },
    [],
  );
  async function send(file: File, target: UploadTarget): Promise<void> {
    const { name } = file;
    let sbomId: string | null = null;
    setState({ step: 'sending', name, share: 0 });
    isSending.current = true;
    try {
      const { id } = await uploadSbom({
        ...target,
        file,
        onProgress: (share) => setState({ step: 'sending', name, share }),
      }).finally(() => (isSending.current = false));
      sbomId = id;
      setState({ step: 'scanning', name });
      setState({ step: 'done', sbom: await scanned(id) });
    } catch (error) {
      setState(sbomId === null ? { step: 'refused', error } : { step: 'unread', name, sbomId });
    }
    await queries.invalidateQueries({ queryKey: projectsKey });
    await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  }
  const isBusy = state.step === 'sending' || state.step === 'scanning';
  return { state, send, isBusy, error: state.step === 'refused' ? state.error : null };
}

async function scanned(sbomId: string): Promise<Schemas['SBOMDetailResponse']> {
  const params = { path: { sbom_id: sbomId }, query: { wait: waitSeconds } };
  for (;;) {
    const sbom = await readSbom(params);
    if (sbom.scan_status !== 'pending') return sbom;
  }
}
