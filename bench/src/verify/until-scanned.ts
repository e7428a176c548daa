import { BenchFailure } from '../bench-failure';
import type { Api, SbomState } from '../load/api';
import { pollUntil } from '../load/poll';

export type ScannedSbom = SbomState & { scanned_at: string };

/** Reads an SBOM until its scan is over. Fails with a `BenchFailure` on a failed scan or at the time limit. */
export async function untilScanned(
  { api, signal }: { api: Pick<Api, 'readSbom'>; signal: AbortSignal },
  id: string,
  wait: { pauseMs: number; timeoutMs: number; waitSeconds?: number },
): Promise<ScannedSbom> {
  const { pauseMs, timeoutMs, waitSeconds = 0 } = wait;
  const sbom = await pollUntil(
    async () => {
      const state = await api.readSbom(id, { waitSeconds });
      return state.scan_status === 'pending' ? undefined : state;
    },
    { pauseMs, timeoutMs, signal, waitingFor: () => `SBOM ${id} is pending` },
  );
  const { scan_status, scanned_at } = sbom;
  if (scan_status !== 'scanned' || scanned_at === null) {
    throw new BenchFailure(`the scan of SBOM ${id} is ${scan_status}`);
  }
  return { ...sbom, scanned_at };
}
