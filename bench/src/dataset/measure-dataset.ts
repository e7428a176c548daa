import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calibration } from '../measure/calibration';
import { countedBetween, readCounters, type Counters } from './counters';
import type { DatasetFeed } from './dataset-feed';
import { rarePackage, widePackage, type DatasetPlan } from './dataset-plan';
import { measureChange, type ChangeDeps, type MeasuredChange } from './measure-change';
import { uploadWhile, type UploadLatency } from './upload-latency';

export interface DatasetReport {
  services: number;
  sboms: number;
  changes: MeasuredChange[];
  uploads: { name: string; latency: UploadLatency; counted: Counters }[];
  calibration: { before: Calibration; after: Calibration };
}

export interface DatasetContext extends ChangeDeps {
  feed: DatasetFeed;
  say: (line: string) => void;
}

const idleUploads = 30;
const secondsOfChanges = 20;
/** Family 3 holds neither of the packages that change; its documents are known. */
const uploadingFamily = 3;

/** Publishes, narrows and withdraws advisories, alone and beside uploads. */
export async function measureDataset(
  plan: DatasetPlan,
  context: DatasetContext,
): Promise<Omit<DatasetReport, 'calibration'>> {
  const { api, feed, signal, say } = context;
  const projectId = await api.createProject(`Uploads beside ${randomUUID()}`);
  const uploader = { api, projectId, signal, family: uploadingFamily };
  const [rare, wide] = [rarePackage(plan), widePackage(plan)];
  const number = Math.floor(Math.random() * 1e9);
  const [rareId, wideId] = [`GO-2098-${number}`, `GO-2099-${number}`];
  const changes: MeasuredChange[] = [];
  const uploads: DatasetReport['uploads'] = [];

  const change = async (
    name: string,
    of: { id: string; rows: number; make: () => void },
  ): Promise<void> => {
    const measured = await measureChange(context, { name, ...of });
    say(`${name}: ${measured.rows} rows after ${measured.seconds.toFixed(2)} s`);
    changes.push(measured);
  };
  const upload = async (name: string, isOver: (count: number) => boolean): Promise<void> => {
    const before = await readCounters(context.stack);
    const latency = await uploadWhile(isOver, uploader);
    const counted = countedBetween(before, await readCounters(context.stack));
    say(`${name}: readable after ${latency.readableP50.toFixed(0)} ms (p50)`);
    uploads.push({ name, latency, counted });
  };
  const publish = (id: string, module: string, how: { fixed?: string; withdrawn?: true } = {}) => {
    return () => feed.publish({ id, module, ...how });
  };

  await context.untilIdle();
  await upload('idle', (count) => count >= idleUploads);
  const rows = { none: 0, rare: rare.serviceCount, wide: wide.serviceCount };
  await change('published, few services', {
    id: rareId,
    rows: rows.rare,
    make: publish(rareId, rare.name),
  });
  await change('withdrawn, few services', {
    id: rareId,
    rows: 0,
    make: publish(rareId, rare.name, { withdrawn: true }),
  });
  await change('published, half of the dataset', {
    id: wideId,
    rows: rows.wide,
    make: publish(wideId, wide.name),
  });
  await change('narrowed to older releases, half of the dataset', {
    id: wideId,
    rows: 0,
    make: publish(wideId, wide.name, { fixed: '1.3.0' }),
  });
  let isOver = false;
  const widened = change('widened again beside uploads', {
    id: wideId,
    rows: rows.wide,
    make: publish(wideId, wide.name),
  }).finally(() => (isOver = true));
  await Promise.all([widened, upload('beside re-scans of half of the dataset', () => isOver)]);
  await change('withdrawn, half of the dataset', {
    id: wideId,
    rows: 0,
    make: publish(wideId, wide.name, { withdrawn: true }),
  });

  const until = performance.now() + secondsOfChanges * 1000;
  const changing = (async () => {
    for (let n = 0; performance.now() < until; n += 1) {
      publish(`GO-2097-${number}`, `example.com/elsewhere/module-${n}`)();
      await sleep(1000, undefined, { signal });
    }
  })();
  await upload('beside a feed that changes every second', () => performance.now() > until);
  await changing;
  return {
    services: plan.families.reduce((sum, { services }) => sum + services, 0),
    sboms: plan.families.reduce((sum, { services }) => sum + services * plan.releases, 0),
    changes,
    uploads,
  };
}
