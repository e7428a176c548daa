import path from 'node:path';
import { freePort, locateServer, onFreePort, serverCacheDir, startNats } from '@bomtrail/embedded';
import { connectBus, type BusConnection } from '@bomtrail/messaging';
import { createLogger } from '@bomtrail/telemetry';
import { makeDataDir, openHarness } from '../harness';
import type { StorageOutcome } from './report';
import { createUploadLoad } from './upload-load';

/** What JetStream may take: as small as makes it full within a minute. */
const serverBytes = 1_300_000;
/** The limit in the services' settings. */
const storageBytes = 1_048_576;
const rounds = 10;
const perRound = 200;
const scannedWithinMs = 40_000;

/** Uploads come until their finished events have filled what JetStream has several times. */
export async function fullJetStream(say: (line: string) => void): Promise<StorageOutcome> {
  const dataDir = await makeDataDir();
  const binary = await locateServer('nats-server', { cacheDir: serverCacheDir(), say });
  const nats = await onFreePort(freePort, (port) =>
    startNats({
      binary,
      port,
      dataDir: path.join(dataDir, 'own-nats'),
      maxFileStore: serverBytes,
    }),
  );
  const env = { NATS_URL: nats.url, NATS_STORAGE_BYTES: String(storageBytes) };
  const harness = await openHarness({ env, dataDir, say });
  const log = createLogger({ service: 'chaos', level: 'fatal', format: 'json' });
  const settings = { NATS_URL: nats.url, NATS_STORAGE_BYTES: storageBytes };
  const bus = await connectBus({ settings, service: 'gateway', log });
  let keep = true;
  try {
    const load = await createUploadLoad(harness.target, 'stream');
    let accepted = 0;
    let pending: string[] = [];
    for (let round = 1; round <= rounds && pending.length === 0; round++) {
      const ids = await load.upload(perRound);
      accepted += ids.length;
      pending = await load.pendingAfter(ids, scannedWithinMs);
      say(`${accepted} uploads, ${pending.length} of the last are pending; ${await taken(bus)}`);
    }
    keep = pending.length > 0;
    return {
      name: `a JetStream of ${serverBytes} bytes`,
      figures: {
        'uploads answered 201': accepted,
        'still pending': pending.length,
        'taken by the streams': await taken(bus),
      },
      problems: pending.length > 0 ? [`${pending.length} accepted SBOMs are still pending`] : [],
    };
  } finally {
    await bus.nats.close();
    await harness.close(keep);
    nats.kill('SIGKILL');
    await nats.exited;
    if (keep) say(`data and logs are kept in ${dataDir}`);
    else await harness.discard();
  }
}

/** What each stream holds. */
async function taken({ manager }: BusConnection): Promise<string> {
  const filled: string[] = [];
  for await (const { config, state } of manager.streams.list())
    filled.push(`${config.name} ${state.messages} messages in ${state.bytes} bytes`);
  return filled.join(', ');
}
