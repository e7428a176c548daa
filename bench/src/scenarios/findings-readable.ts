import { BenchFailure } from '../bench-failure';
import { pollUntil } from '../load/poll';
import { requireVulnerabilities } from '../verify/check-sboms';
import { untilScanned } from '../verify/until-scanned';
import type { ScenarioContext } from './scenario-context';

/** Between two looks at a list that has no rows yet: never seen, as a scan is over only when its rows are there. */
const pauseMs = 10;
const timeoutMs = 30_000;
const waitSeconds = 30;

/** Waits until an SBOM is scanned and its service has rows in the active list, and checks how many. */
export async function findingsReadable(context: ScenarioContext, id: string): Promise<void> {
  const { api, reference, signal } = context;
  const sbom = await untilScanned(context, id, { pauseMs, timeoutMs, waitSeconds });
  requireVulnerabilities(sbom, reference.vulnerabilities);
  const serviceId = sbom.service_id;
  if (serviceId === null) throw new BenchFailure(`SBOM ${id} belongs to no service`);
  const total = await pollUntil(
    async () => {
      const rows = await api.listActive(serviceId);
      return rows.listed > 0 ? rows.total : undefined;
    },
    { pauseMs, timeoutMs, signal, waitingFor: () => `no rows for the scanned SBOM ${id}` },
  );
  if (total !== reference.vulnerabilities) {
    const said = `lists ${total} vulnerabilities, not ${reference.vulnerabilities}`;
    throw new BenchFailure(`wrong result: the service of SBOM ${id} ${said}`);
  }
}
