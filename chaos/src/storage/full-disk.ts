import { setTimeout as sleep } from 'node:timers/promises';
import { allowWrites, stopWrites } from '@bomtrail/testkit';
import { openHarness } from '../harness';
import { seconds } from '../report';
import type { StorageOutcome } from './report';
import { createUploadLoad } from './upload-load';
import { watchReadiness } from './watch-readiness';

const uploads = { before: 1, full: 7, after: 5 };
const fullMs = 10_000;
const readyWithinMs = 120_000;
const scannedWithinMs = 60_000;

/** The disk of NATS is full for ten seconds during uploads; then it has room again, without intervention. */
export async function momentOfFullDisk(say: (line: string) => void): Promise<StorageOutcome> {
  const harness = await openHarness({ say });
  let keep = true;
  try {
    const { chaos, target } = harness;
    const load = await createUploadLoad(target, 'disk');
    await load.pendingAfter(await load.upload(uploads.before), scannedWithinMs);
    const readiness = watchReadiness(target.baseUrl);
    const pid = await chaos.pidOf('nats-server');
    say('the disk of NATS is full');
    await stopWrites(pid);
    const since = Date.now();
    const accepted = await load.upload(uploads.full);
    await sleep(fullMs);
    await allowWrites(pid).catch(() => undefined);
    say('it has room again');
    const freed = Date.now();
    // Long enough for who looks now and then.
    await load.pendingAfter(accepted, scannedWithinMs);
    const readyMs = await readiness.untilReady(readyWithinMs);
    await readiness.stop();
    accepted.push(...(await load.upload(uploads.after)));
    const pending = await load.pendingAfter(accepted, scannedWithinMs);
    const noticed = readiness.firstNotReady();
    const isRestarted = (await chaos.pidOf('nats-server')) !== pid;
    keep = pending.length > 0;
    return {
      name: 'a full disk of NATS for 10 s',
      figures: {
        'uploads answered 201': accepted.length,
        'not ready after': noticed === null ? 'never' : seconds(noticed - since),
        'nats-server was restarted': isRestarted ? 'yes' : 'no',
        'ready at the end': readyMs === null ? 'no' : 'yes',
        'all scanned after there was room':
          pending.length > 0 ? 'never' : seconds(Date.now() - freed),
        'still pending': pending.length,
      },
      problems: [
        ...(pending.length > 0 ? [`${pending.length} accepted SBOMs are still pending`] : []),
        ...(noticed === null ? ['/readyz never said that something is wrong'] : []),
        ...(readyMs === null ? ['/readyz does not say ready at the end'] : []),
      ],
    };
  } finally {
    await harness.close(keep);
    if (keep) say(`data and logs are kept in ${harness.dataDir}`);
  }
}
