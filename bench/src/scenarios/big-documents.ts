import { documentBytes } from '../sboms/cyclonedx-document';
import { generatedDocument } from '../sboms/generated-document';
import { withNewVersions } from '../sboms/variants';
import { untilScanned } from '../verify/until-scanned';
import { measureRun } from './measure-run';
import { newProject } from './new-project';
import type { SharedScenario } from './scenario';

const sizes = [5000, 21_900];
const timeoutMs = 120_000;
let serial = 0;

/** One large document: every one of its package versions is new. */
export const bigDocuments: readonly SharedScenario[] = sizes.map((components) => ({
  name: `big-document-${components}`,
  description: `one SBOM with ${components} components, all of them new`,
  size: { uploads: 1, clients: 1 },
  mostUploads: 1,
  maxClients: 1,
  warmUpUploads: 1,
  async run(context) {
    const { api } = context;
    const projectId = await newProject(api, 'Big documents');
    const generated = generatedDocument(components);
    const variant = { serial: ++serial, count: components };
    const document = documentBytes(withNewVersions(generated, variant));
    const send = api.prepareUpload({ projectId, serviceName: 'large', document });
    return measureRun(context, 1, async () => {
      const begin = performance.now();
      const id = await send();
      const accepted = performance.now() - begin;
      await untilScanned(context, id, { pauseMs: 10, timeoutMs });
      const found = performance.now() - begin;
      return { accept_ms_p50: accepted, findings_ms_p50: found };
    });
  },
}));
