import { lagIn, monitoringUrl, replicasFor, type Trigger } from './keda-rule';

const trigger = (consumer: string, lagThreshold: string): Trigger => ({
  type: 'nats-jetstream',
  metadata: {
    natsServerMonitoringEndpoint: 'nats:8222',
    account: '$G',
    stream: 'WORK',
    consumer,
    lagThreshold,
    useHttps: 'false',
  },
});
const uploads = trigger('scanner-uploads', '64');
const scaled = {
  spec: {
    minReplicaCount: 1,
    maxReplicaCount: 12,
    triggers: [uploads, trigger('scanner-rescans', '256')],
  },
};
const response = {
  account_details: [
    { id: 'other', name: 'other', stream_detail: [] },
    {
      id: '$G',
      name: '$G',
      stream_detail: [
        {
          name: 'WORK',
          state: { last_seq: 9_000 },
          consumer_detail: [{ name: 'scanner-uploads', num_pending: 90, num_ack_pending: 39 }],
        },
      ],
    },
  ],
};

test('the lag is what waits and what is being worked on; without the consumer it is all that ever came', () => {
  expect(monitoringUrl(uploads)).toBe('http://nats:8222/jsz?acc=$G&consumers=true&config=true');
  expect(lagIn(response, uploads)).toBe(129);
  expect(lagIn(response, trigger('unknown', '1'))).toBe(9_000);
  expect(() => lagIn({ account_details: [] }, uploads)).toThrow('no stream WORK');
});

test('the queue that asks for most decides, within the bounds', () => {
  expect(replicasFor(scaled, [0, 0])).toBe(1);
  expect(replicasFor(scaled, [129, 0])).toBe(3);
  expect(replicasFor(scaled, [129, 1_100])).toBe(5);
  expect(replicasFor(scaled, [5_000, 0])).toBe(12);
});
