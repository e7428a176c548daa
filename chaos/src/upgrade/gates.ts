import { setTimeout as sleep } from 'node:timers/promises';
import { documentOf } from '@bomtrail/reference-model';
import { eventually, type WebhookFake } from '@bomtrail/testkit';
import type { LoadContext } from '../load/driven-project';
import { repeat } from '../load/repeat';
import { uploadOverRest } from '../load/upload';
import { countIn } from '../witness';

/** CI jobs: each uploads to a service and waits for its findings, about which an alert rule notifies. */
export interface Gates {
  /** Runs one job after the other, each with a service of its own, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Exactly one notification must have come about each service. Gives the number of services. */
  compareAlerts(receiver: WebhookFake): Promise<number>;
}

const component = 'gated@1.0.0';
const advisory = {
  id: 'GHSA-gated',
  aliases: ['CVE-2026-40001'],
  affects: [component],
  severity: 'critical' as const,
  withdrawn: false,
};
/** Of all calls with `?wait=` of a job together. */
const waitSeconds = 30;
/** Between two of them: a gateway that stops answers each at once. */
const pauseMs = 100;
/** Between two jobs. */
const restMs = 500;
/** A notifier that was replaced takes over the leases of the earlier one first. */
const alertMs = 60_000;

interface Detail {
  scan_status: string;
  vulnerabilities: unknown[];
}

/** Creates their project and its alert rule, which notifies the receiver of the settings. */
export async function createGates({
  caller,
  witness,
  folder,
}: Pick<LoadContext, 'caller' | 'witness' | 'folder'>): Promise<Gates> {
  await folder.put(advisory);
  const create = async (path: string, body: object): Promise<string> => {
    const response = await caller.known({ method: 'POST', path, body });
    if (response.status !== 201)
      throw new Error(`${path}: ${response.status} ${response.body.toString()}`);
    return (JSON.parse(response.body.toString()) as { id: string }).id;
  };
  const project_id = await create('/api/v1/projects', { name: 'Gates' });
  await create('/api/v1/alert-rules', {
    project_id,
    severity_threshold: 'high',
    notification_type: 'webhook',
  });
  const services: string[] = [];
  const text = documentOf([component]).toString();
  const uploadTo = async (service: string): Promise<string> => {
    services.push(service);
    const sent = { project_id, version: '1.0.0', service, text };
    const taken = await uploadOverRest({ caller, witness }, sent);
    if (!taken) throw new Error(`the upload of a gate to ${service} was refused`);
    return taken.id;
  };
  const detailOf = (id: string, query = {}): Promise<Detail | undefined> =>
    caller.json<Detail>({ path: `/api/v1/sboms/${id}`, query });

  /** What a job is answered in the end: it repeats a wait that was over early, as the command line does. */
  async function waitedFor(id: string): Promise<Detail | undefined> {
    const end = Date.now() + waitSeconds * 1000;
    for (;;) {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      const detail = await detailOf(id, { wait: left });
      if (detail?.scan_status !== 'pending' || left === 0) return detail;
      await sleep(pauseMs);
    }
  }

  const first = await uploadTo('first');
  await eventually(async () => (await detailOf(first))?.vulnerabilities.length === 1, {
    what: 'the advisory of the gates is loaded',
  });

  async function runOne(): Promise<void> {
    const id = await uploadTo(`service-${services.length}`);
    witness.acknowledged('upload of a gate');
    const detail = await waitedFor(id);
    const found = detail?.vulnerabilities.length;
    if (detail?.scan_status !== 'scanned')
      witness.differs('late', `SBOM ${id} is ${detail?.scan_status} after ${waitSeconds} s`);
    else if (found !== 1)
      witness.differs('lost', `SBOM ${id} is scanned with ${found} vulnerabilities`);
    witness.acknowledged('?wait=');
  }

  return {
    run: (signal) => repeat(runOne, () => restMs, signal),
    async compareAlerts(receiver) {
      let counts = notificationsByService(receiver);
      const areAllThere = (): boolean => {
        counts = notificationsByService(receiver);
        return services.every((name) => counts.has(name));
      };
      await eventually(areAllThere, {
        within: alertMs,
        what: 'a notification about every service',
      }).catch(() => undefined);
      for (const name of services) {
        const count = counts.get(name) ?? 0;
        if (count !== 1)
          witness.differs(count === 0 ? 'lost' : 'double', `${name}: ${count} alerts instead of 1`);
      }
      return services.length;
    },
  };
}

function notificationsByService(receiver: WebhookFake): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of receiver.accepted) {
    const { vulnerabilities = [] } = body as { vulnerabilities?: { service_name: string }[] };
    for (const { service_name } of vulnerabilities) countIn(counts, service_name);
  }
  return counts;
}
