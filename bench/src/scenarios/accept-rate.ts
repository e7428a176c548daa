import { newVersionsPerSet } from './backlog-new-sets';
import { runToNewServices } from './new-services';
import type { SharedScenario } from './scenario';

/** How fast uploads are taken in, durably, while those before them are scanned. */
const transports = [
  { transport: 'rest', name: 'accept-rate', description: "201s a second at the gateway's port" },
  {
    transport: 'proxy',
    name: 'accept-rate-proxied',
    description: 'the same through a reverse proxy',
  },
  { transport: 'grpc', name: 'grpc-accept-rate', description: 'the same over gRPC' },
] as const;

/** One scenario for each transport: new component sets to new services, so that there is much to scan. */
export const acceptRates: readonly SharedScenario[] = transports.map(
  ({ transport, name, description }) => ({
    name,
    description,
    size: { uploads: 300, clients: 32 },
    warmUpUploads: 200,
    async run(context, size) {
      const opened =
        transport === 'rest' ? undefined : await context.openTransport(transport, size.clients);
      try {
        return await runToNewServices(context, size, {
          name: `Accepted by ${transport}`,
          document: () => context.sboms.newVersions(newVersionsPerSet),
          transport: opened,
        });
      } finally {
        await opened?.close();
      }
    },
  }),
);
