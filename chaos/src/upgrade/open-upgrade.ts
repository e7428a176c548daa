import { randomBytes } from 'node:crypto';
import { freePorts } from '@bomtrail/embedded';
import { connectGrpc } from '@bomtrail/reference-model';
import { startGatewayProxy, startSignedWebhookFake, type WebhookFake } from '@bomtrail/testkit';
import { openHarness, type Harness } from '../harness';
import { createCaller } from '../load/caller';
import { countedCaller, countedGrpc, type RequestCounts } from './counted';
import { createReplicas, replicasOf, type Replicas } from './replicas';

/** A stack of two processes of each service, with a proxy in front of the gateways and a receiver of alerts. */
export interface UpgradeHarness extends Harness {
  replicas: Replicas;
  counts: RequestCounts;
  receiver: WebhookFake;
}

/** Longer than a few polls of the proxy: meanwhile a gateway says that it is not ready, and answers. */
const drainSeconds = '2';
const [, second] = replicasOf('gateway');

export async function openUpgrade(options: {
  from: string;
  env: Record<string, string>;
  say: (line: string) => void;
}): Promise<UpgradeHarness> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const receiver = await startSignedWebhookFake({ secret });
  const replicas = createReplicas(options.from);
  const [rest = 0, grpcPort = 0] = await freePorts(2);
  const drained = { SHUTDOWN_DRAIN_SECONDS: drainSeconds };
  const harness = await openHarness({
    say: options.say,
    services: replicas.services,
    env: {
      ...options.env,
      ALERT_CHECK_INTERVAL_SECONDS: '1',
      ALERT_MESSAGES_PER_HOUR: '100000',
      ALERT_WEBHOOK_URL: receiver.url(),
      ALERT_WEBHOOK_SECRET: secret,
    },
    serviceEnv: {
      gateway: drained,
      [second]: { ...drained, HTTP_PORT: String(rest), GRPC_PORT: String(grpcPort) },
    },
  });
  const { stack } = harness.chaos;
  const internal = (name: string): number =>
    stack.processes().find((one) => one.name === name)?.internalPort ?? 0;
  const proxy = await startGatewayProxy([
    { rest: Number(new URL(stack.baseUrl).port), internal: internal('gateway') },
    { rest, internal: internal(second) },
  ]);
  const counts = { sent: 0, slowestMs: 0 };
  const target = { ...harness.target, baseUrl: proxy.baseUrl };
  const caller = countedCaller(createCaller(target, harness.witness), counts);
  const grpc = countedGrpc(connectGrpc([stack.grpcPort, grpcPort], target.apiKey), counts);
  return {
    ...harness,
    target,
    caller,
    replicas,
    counts,
    receiver,
    context: { ...harness.context, caller, grpc },
    async close(keep) {
      grpc.close();
      await proxy.stop();
      await harness.close(keep);
      await receiver.stop();
    },
  };
}
