import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  freePorts,
  locateServers,
  serverCacheDir,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import {
  scannerRescans,
  scannerUploads,
  scanRequested,
  type SbomReference,
} from '@bomtrail/messages';
import {
  connectBus,
  consumes,
  createPublishOrThrow,
  openEventTransport,
} from '@bomtrail/messaging';
import { createLogger } from '@bomtrail/telemetry';

/** A real NATS with the streams and the scanner's consumers of the product, and a backlog of requested scans. */
export interface WaitingScans {
  /** `host:port` of its monitoring. */
  monitoring: string;
  /** Requests so many scans, which wait for `finish`. */
  request(count: number): Promise<void>;
  /** Lets the consumer of the scanner handle all of them. */
  finish(): void;
  stop(): Promise<void>;
}

/** Requests that are sent at once. */
const atOnce = 200;

/** @param folder for its data */
export async function startWaitingScans(folder: string): Promise<WaitingScans> {
  const { natsServer: binary } = await locateServers({
    cacheDir: serverCacheDir(),
    say: () => undefined,
  });
  const [port = 0, monitoringPort = 0] = await freePorts(2);
  const monitoring = `127.0.0.1:${monitoringPort}`;
  const server: RunningServer = await startNats({
    binary,
    dataDir: path.join(folder, 'nats'),
    port,
    config: `http: "${monitoring}"`,
  });
  const log = createLogger({ service: 'scanner', level: 'fatal', format: 'json' });
  const bus = await connectBus({ settings: { NATS_URL: server.url }, service: 'scanner', log });
  const publish = createPublishOrThrow(bus);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  // Both: of a consumer that is not there KEDA takes all that its stream ever had.
  const consumers = [scannerUploads, scannerRescans].map((one) =>
    openEventTransport(bus, consumes(one, { handle: () => finished })),
  );
  return {
    monitoring,
    async request(count) {
      for (let sent = 0; sent < count; sent += atOnce)
        await Promise.all(
          Array.from({ length: Math.min(atOnce, count - sent) }, () =>
            publish(scanRequested, newScan()),
          ),
        );
    },
    finish,
    async stop() {
      finish();
      await Promise.all(consumers.map((one) => one.stop()));
      await bus.nats.close();
      server.kill('SIGKILL');
      await server.exited;
    },
  };
}

function newScan(): SbomReference {
  return {
    sbom_id: randomUUID(),
    project_id: randomUUID(),
    service_id: randomUUID(),
    seq: 1,
    digest: randomUUID().replaceAll('-', '').repeat(2),
    created_at: new Date().toISOString(),
    lane: 'upload',
    revision: 0,
    attempt: 0,
  };
}
