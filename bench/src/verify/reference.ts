import type { Api } from '../load/api';
import { pollUntil } from '../load/poll';
import type { BaseDocument } from '../sboms/base-document';
import { pairsProblem } from './expected-pairs';

/** What every upload of a scenario must come to. */
export interface Reference {
  /** Rows that the base document gives; a variant must give as many. */
  vulnerabilities: number;
  advisoryData: string;
}

/** A first start may have to read all advisories of the document's ecosystem. */
const loadTimeoutMs = 300_000;

/**
 * Uploads the base document and waits until all that is known to be in it is found: then the stack works
 * from end to end and the advisories are loaded. Fails after five minutes, with what was wrong.
 */
export async function establishReference(options: {
  api: Api;
  base: BaseDocument;
  signal: AbortSignal;
}): Promise<Reference> {
  const { api, base, signal } = options;
  const projectId = await api.createProject('Bench reference');
  const id = await api.upload({ projectId, serviceName: 'reference', document: base.bytes });
  let state = 'the reference document is not scanned';
  return pollUntil(
    async () => {
      const sbom = await api.readSbom(id);
      if (sbom.scan_status !== 'scanned') {
        state = `the reference document is ${sbom.scan_status}`;
        return undefined;
      }
      const problem = pairsProblem(sbom, base.expected);
      state = `the reference document has wrong results: ${problem}`;
      if (problem !== undefined) return undefined;
      return { vulnerabilities: sbom.vulnerabilities.length, advisoryData: sbom.advisory_data };
    },
    { pauseMs: 200, timeoutMs: loadTimeoutMs, signal, waitingFor: () => state },
  );
}
