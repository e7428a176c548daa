import { hostname } from 'node:os';
import { createPauses } from '@bomtrail/concurrency';

/** Somewhat longer than the interval of the broadcast, so that one may come late. */
const requestMs = 300;
const longestMs = 2_000;

/** Pauses while many uploads wait for their response at a gateway on the same host (ADR 0046). */
export interface UploadPauses {
  /** Handles the broadcast `uploadsWaiting`. */
  heard(announcement: { host: string }): void;
  /** Waits for these uploads, at most two seconds, and at most half of the time. */
  pass(): Promise<void>;
}

export function createUploadPauses(): UploadPauses {
  const pauses = createPauses({ requestMs, longestMs });
  const ownHost = hostname();
  return {
    heard({ host }) {
      if (host === ownHost) pauses.request();
    },
    pass: () => pauses.pass(),
  };
}
