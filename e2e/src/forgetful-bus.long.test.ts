import { execFile } from 'node:child_process';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import * as messages from '@bomtrail/messages';
import { makeAdvisoryFolder, type AdvisoryFolder } from '@bomtrail/reference-model';
import { eventually, startSlackFake, type WebhookFake } from '@bomtrail/testkit';
import { createAlertCalls } from './support/alerts/alert-calls';
import {
  startBusHarness,
  type AnyConsumer,
  type AnyMessage,
  type BusHarness,
} from './support/bus/bus-harness';
import { npmDocument } from './support/examples';
import { repositoryRoot } from './support/real-data';

const patienceMs = 40_000;
/** After it a scan whose components are missing fails for good. */
const longAgo = new Date(Date.now() - 3_600_000);

let harness: BusHarness;
let feed: AdvisoryFolder;
let slack: WebhookFake;
let project: { id: string };
let count = 0;

beforeAll(async () => {
  [feed, slack] = await Promise.all([makeAdvisoryFolder(), startSlackFake()]);
  await feed.put(advisoryOf('known'));
  harness = await startBusHarness({
    BOMTRAIL_ADVISORY_SOURCE: feed.path,
    BOMTRAIL_FEED_INTERVAL_SECONDS: '1',
    SLACK_WEBHOOK_URL: slack.url('bus'),
    ALERT_CHECK_INTERVAL_SECONDS: '1',
    ALERT_ALLOW_PRIVATE_WEBHOOKS: 'true',
  });
  project = await harness.running.client.createProject({ name: 'Bus' });
});
afterAll(async () => {
  await Promise.all([harness?.stop(), slack?.stop(), feed?.discard()]);
});

function advisoryOf(name: string) {
  return {
    id: `GHSA-${name}`,
    aliases: [],
    affects: [`${name}@1.0.0`],
    severity: 'critical' as const,
    withdrawn: false,
  };
}

/** Work that is begun, and whether it has ended as it would have on a bus that forgets nothing. */
interface Work {
  isDone(): Promise<unknown>;
}

/** A service of its own that holds the package of that name. */
async function upload(name: string, project_id = project.id): Promise<string> {
  count += 1;
  const file = npmDocument(`${name}-${count}`, [`${name}@1.0.0`, `other-${count}@1.0.0`]);
  const named = { project_id, service_name: `${name}-${count}`, file };
  // A process that was just killed may not be back.
  const accepted = await eventually(() => harness.running.client.upload(named), {
    what: 'the upload is accepted',
  });
  return accepted.id;
}

async function uploaded(): Promise<Work> {
  const id = await upload('known');
  return {
    async isDone() {
      const { vulnerabilities } = await waitForScan(harness.running.client, id, patienceMs);
      expect(vulnerabilities.map(({ advisory_ids }) => advisory_ids)).toEqual([['GHSA-known']]);
    },
  };
}

async function advisoryChanged(): Promise<Work> {
  count += 1;
  const name = `changed-${count}`;
  const id = await upload(name);
  await waitForScan(harness.running.client, id, patienceMs);
  await feed.put(advisoryOf(name));
  return {
    isDone: () =>
      eventually(async () => (await harness.running.client.sbom(id)).vulnerabilities.length === 1, {
        what: 'the advisory change is in the list',
      }),
  };
}

async function notified(): Promise<Work> {
  const calls = createAlertCalls(harness.running.target);
  const rule = { name: 'Told', notification_type: 'slack', severity_threshold: 'low' };
  const { id: project_id } = await harness.running.client.createProject({ name: `Told ${count}` });
  await calls.create({ ...rule, project_id });
  const before = slack.accepted.length;
  await upload('known', project_id);
  return {
    isDone: () =>
      eventually(() => slack.accepted.length > before, {
        what: 'the alert is told',
      }),
  };
}

/** An SBOM whose components got lost; gives what puts them back. */
async function poisoned(): Promise<{ id: string; heal: () => Promise<void> }> {
  await harness.pause(messages.scannerUploads);
  const id = await upload('known');
  await harness.losePublished(messages.scanRequested);
  await harness.resume(messages.scannerUploads);
  const digest = (await harness.sboms.findOne({ _id: id }))?.digest ?? '';
  const set = await harness.sets.findOneAndDelete({ _id: digest });
  if (!set) throw new Error('The component set is not stored.');
  // It still has in memory what it has just stored.
  harness.running.stack.kill('ingest', 'SIGKILL');
  await harness.sboms.updateOne({ _id: id }, { $set: { created_at: longAgo } });
  await harness.hurry();
  return { id, heal: async () => void (await harness.sets.insertOne(set)) };
}

const reason = expect.stringMatching(
  /components of the SBOM are not stored.*Upload the SBOM again/,
);

function failed(id: string): Promise<unknown> {
  return eventually(
    async () => expect((await harness.sboms.findOne({ _id: id }))?.scan_status).toBe('failed'),
    { what: 'the scan has failed' },
  );
}

async function failing(): Promise<Work> {
  const { id, heal } = await poisoned();
  return {
    async isDone() {
      await failed(id);
      await heal();
      const detail = await harness.running.client.sbom(id);
      expect(detail).toMatchObject({ scan_status: 'failed', scan_error: reason });
    },
  };
}

/** How the work begins whose message is lost, and the consumer that must not take it before that. */
interface Row {
  consumer: AnyConsumer;
  begin: () => Promise<Work>;
}

/** The last one begins with what all the others need. */
const rows: Record<string, Row> = {
  'vulnerability.changed.v1': { consumer: messages.notifierChanges, begin: notified },
  'rescan.completed.v1': { consumer: messages.catalogRescans, begin: advisoryChanged },
  'rescan.requested.v1': { consumer: messages.reconcilerPackageRescans, begin: advisoryChanged },
  'scan.failed.v1': { consumer: messages.catalogScanFailures, begin: failing },
  'sbom.reconciled.v1': { consumer: messages.catalogReconciled, begin: uploaded },
  'scan.completed.v1': { consumer: messages.reconcilerUploads, begin: uploaded },
  'scan.requested.v1': { consumer: messages.scannerUploads, begin: uploaded },
};

const kinds = (Object.values(messages) as unknown[]).filter(
  (value): value is AnyMessage => typeof value === 'object' && value !== null && 'sweptBy' in value,
);

test.each(kinds.map((message) => [message.name, message] as const))(
  'what was under way when a %s was lost ends as it would have',
  async (name, message) => {
    const row = rows[name];
    if (!row) throw new Error(`There is no row for ${name}: say how its work begins and ends.`);
    await harness.pause(row.consumer);
    const before = await harness.taken(row.consumer);
    const work = await row.begin();
    await harness.losePublished(message);
    expect(await harness.taken(row.consumer)).toBe(before);
    await harness.resume(row.consumer);
    await harness.hurry();
    await work.isDone();
  },
  patienceMs * 2,
);

test('streams that are deleted while everything runs are made again, and uploads go on', async () => {
  for (const { name } of messages.streams) await harness.bus.manager.streams.delete(name);
  const work = await uploaded();
  await harness.hurry();
  await work.isDone();
  for (const { name } of messages.streams.filter((one) => one.name !== 'DEAD'))
    await harness.bus.manager.streams.info(name);
});

describe('a scan that was given up', () => {
  /** Runs `npm run dead-letters` as it is after the build. */
  function deadLetters(...args: string[]): Promise<{ code: number; out: string[] }> {
    const program = path.join(repositoryRoot, 'packages', 'embedded', 'dist', 'main.js');
    const { dataDir } = harness.running;
    const env = { ...process.env, BOMTRAIL_DATA_DIR: dataDir, MONGODB_URI: '', NATS_URL: '' };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, 'dead-letters', ...args], { env }, (error, out) => {
        resolve({ code: error ? Number(error.code) : 0, out: out.trim().split('\n') });
      });
    });
  }

  test('says why, is listed, shown and replayed, and then it is scanned', async () => {
    await deadLetters('drop', '--all');
    const { id, heal } = await poisoned();
    await failed(id);
    await heal();
    const { client } = harness.running;
    expect(await client.sbom(id)).toMatchObject({ scan_status: 'failed', scan_error: reason });

    const listed = await deadLetters('list');
    expect(listed).toMatchObject({ code: 0, out: { length: 2, 1: '1 dead letter.' } });
    const [letter = ''] = listed.out;
    expect(letter).toMatch(
      / {2}scanner-uploads {2}.* {2}scan\.requested\.v1\.upload\.\d+ {2}The comp/,
    );
    const [number = ''] = letter.split(' ');
    expect((await deadLetters('show', number)).out.at(-1)).toContain(`"sbom_id":"${id}"`);

    expect(await deadLetters('replay', number)).toMatchObject({ code: 0 });
    // The record may still say so for a moment.
    await eventually(async () => (await client.sbom(id)).scan_status === 'scanned', {
      what: 'the replayed scan has ended',
    });
    expect((await client.sbom(id)).scan_error).toBeNull();
    expect(await deadLetters('list')).toEqual({ code: 0, out: ['0 dead letters.'] });
    expect(await deadLetters('show', number)).toMatchObject({ code: 1 });
    expect(await deadLetters('replay')).toMatchObject({ code: 2 });
  });
});

test('after a start on an empty bus all that was under way ends as it would have', async () => {
  const works: Work[] = [];
  for (const { consumer, begin } of Object.values(rows)) {
    await harness.pause(consumer);
    works.push(await begin());
  }
  await harness.restartWithoutBus();
  await harness.hurry();
  for (const work of works) await work.isDone();
});
