import { setTimeout as sleep } from 'node:timers/promises';
import { documentOf, type AdvisoryFolder } from '@bomtrail/reference-model';
import { eventually, type WebhookFake } from '@bomtrail/testkit';
import type { Caller } from '../load/caller';
import type { Witness } from '../witness';

/** What a CI job does: it uploads to a service and waits for its findings, of which an alert rule tells. */
export interface Gates {
  /** One job, with a service of its own. */
  run(): Promise<void>;
  /** Every service must have been told of, once. Gives the number of them. */
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
/** A notifier that was replaced takes over the leases of the earlier one first. */
const alertMs = 60_000;

interface Detail {
  scan_status: string;
  vulnerabilities: unknown[];
}

interface Deps {
  caller: Caller;
  witness: Witness;
  folder: AdvisoryFolder;
}

/** Creates their project and its alert rule, which tells the receiver of the settings. */
export async function createGates({ caller, witness, folder }: Deps): Promise<Gates> {
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
  const uploadTo = (service: string): Promise<string> => {
    services.push(service);
    const form = new FormData();
    form.set('project_id', project_id);
    form.set('version', '1.0.0');
    form.set('service_name', service);
    form.set('file', new Blob([new Uint8Array(documentOf([component]))]), 'sbom.json');
    return create('/api/v1/sboms/upload', form);
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

  return {
    async run() {
      const id = await uploadTo(`service-${services.length}`);
      witness.acknowledged('upload of a gate');
      const detail = await waitedFor(id);
      const found = detail?.vulnerabilities.length;
      if (detail?.scan_status !== 'scanned')
        witness.differs('late', `SBOM ${id} is ${detail?.scan_status} after ${waitSeconds} s`);
      else if (found !== 1)
        witness.differs('lost', `SBOM ${id} is scanned with ${found} vulnerabilities`);
      witness.acknowledged('?wait=');
    },
    async compareAlerts(receiver) {
      const told = (): string[] => receiver.accepted.flatMap(({ body }) => servicesIn(body));
      await eventually(() => services.every((name) => told().includes(name)), {
        within: alertMs,
        what: 'every service is told of',
      }).catch(() => undefined);
      const times = new Map<string, number>();
      for (const name of told()) times.set(name, (times.get(name) ?? 0) + 1);
      for (const name of services) {
        const count = times.get(name) ?? 0;
        if (count !== 1)
          witness.differs(count === 0 ? 'lost' : 'double', `${name}: ${count} alerts instead of 1`);
      }
      return services.length;
    },
  };
}

function servicesIn(body: unknown): string[] {
  const { vulnerabilities = [] } = body as { vulnerabilities?: { service_name: string }[] };
  return vulnerabilities.map(({ service_name }) => service_name);
}
