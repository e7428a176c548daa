/** A trigger of a rendered ScaledObject. */
export interface Trigger {
  readonly type: string;
  readonly metadata: {
    readonly natsServerMonitoringEndpoint: string;
    readonly account: string;
    readonly stream: string;
    readonly consumer: string;
    readonly lagThreshold: string;
    readonly useHttps: string;
  };
}

/** The part of a ScaledObject that decides about replicas. */
export interface ScaledObject {
  readonly spec: {
    readonly minReplicaCount: number;
    readonly maxReplicaCount: number;
    readonly triggers: readonly Trigger[];
  };
}

interface Monitoring {
  readonly account_details?: readonly {
    readonly id: string;
    readonly name: string;
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { readonly last_seq: number };
      readonly consumer_detail?: readonly {
        readonly name: string;
        readonly num_pending: number;
        readonly num_ack_pending: number;
      }[];
    }[];
  }[];
}

/** The address that KEDA's `nats-jetstream` scaler requests (v2.17, `getNATSJetStreamMonitoringURL`). */
export function monitoringUrl({ metadata }: Trigger): string {
  const { natsServerMonitoringEndpoint: at, account, useHttps } = metadata;
  return `${useHttps === 'true' ? 'https' : 'http'}://${at}/jsz?acc=${account}&consumers=true&config=true`;
}

/**
 * The lag that the scaler reads from the response: pending and unacknowledged messages of the consumer. Without the
 * consumer it is the last sequence of the stream.
 *
 * @throws Error without the stream
 */
export function lagIn(response: unknown, { metadata }: Trigger): number {
  const { account_details: accounts = [] } = response as Monitoring;
  const streams = accounts
    .filter(({ id, name }) => id === metadata.account || name === metadata.account)
    .flatMap(({ stream_detail = [] }) => stream_detail);
  const stream = streams.find(({ name }) => name === metadata.stream);
  if (stream === undefined)
    throw new Error(`account ${metadata.account} shows no stream ${metadata.stream}`);
  const consumer = stream.consumer_detail?.find(({ name }) => name === metadata.consumer);
  return consumer === undefined
    ? stream.state.last_seq
    : consumer.num_pending + consumer.num_ack_pending;
}

/**
 * Replicas for these lags, one for each trigger: each asks for lag ÷ threshold, rounded up, the largest wins, within
 * the bounds (HorizontalPodAutoscaler with `AverageValue`, the type of KEDA's metrics by default).
 */
export function replicasFor({ spec }: ScaledObject, lags: readonly number[]): number {
  const wanted = spec.triggers.map(({ metadata }, at) =>
    Math.ceil((lags[at] ?? 0) / Number(metadata.lagThreshold)),
  );
  return Math.min(spec.maxReplicaCount, Math.max(spec.minReplicaCount, ...wanted));
}
