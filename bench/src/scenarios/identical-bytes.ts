import { BenchFailure } from '../bench-failure';
import { acceptFigures, sendAll } from '../load/send-all';
import { measureRun } from './measure-run';
import { runToNewServices } from './new-services';
import type { SharedScenario } from './scenario';

const mostServices = 300;

/** A job that is run again: the same bytes to the same service and version give the same id, and no work. */
export const identicalBytes: SharedScenario = {
  name: 'identical-bytes',
  description: 'the same bytes again to the same services and versions: the same ids, no scan',
  size: { uploads: 900, clients: 32 },
  warmUpUploads: 900,
  async run(context, size) {
    const { api } = context;
    const fleet = await context.fleetOf(Math.min(size.uploads, mostServices));
    const { projectId, services } = fleet;
    const { version, ids } = await fleet.withBaseDocument();
    const document = context.sboms.base();
    const known = services.map((serviceName) =>
      api.prepareUpload({ projectId, serviceName, version, document }),
    );
    const rounds = Math.ceil(size.uploads / known.length);
    const uploads = Array.from({ length: rounds }, () => known)
      .flat()
      .slice(0, size.uploads);
    const scans = await context.countScans();
    const measured = await measureRun(context, size.uploads, async () => {
      const sent = await sendAll(uploads, size.clients);
      const other = sent.ids.findIndex((id, n) => id !== ids[n % ids.length]);
      if (other !== -1) {
        throw new BenchFailure(
          `wrong result: upload ${other + 1} made the SBOM ${sent.ids[other]}`,
        );
      }
      return acceptFigures(sent);
    });
    const further = (await context.countScans()) - scans;
    if (further > 0) throw new BenchFailure(`wrong result: known bytes led to ${further} scans`);
    return measured;
  },
};

/**
 * The base document as it is, to one new service after the other: stored, parsed and scanned long ago.
 * What remains is the record, and the findings in the lists of each service.
 */
export const identicalBytesNewServices: SharedScenario = {
  name: 'identical-bytes-new-services',
  description: 'the same bytes again, each to a new service',
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 200,
  run: (context, size) =>
    runToNewServices(context, size, {
      name: 'Identical bytes',
      document: () => context.sboms.base(),
    }),
};
