import { isReady, natsConfig } from './start-nats';

describe('the greeting of nats-server', () => {
  const greeting = 'INFO {"server_name":"ours","jetstream":true,"port":1} \r\n';

  test('is ready when it is our server and offers JetStream', () => {
    expect(isReady(greeting, 'ours')).toBe(true);
  });

  test('is not ready when another server answers on the port, or has no JetStream', () => {
    expect(isReady(greeting, 'theirs')).toBe(false);
    expect(isReady('INFO {"server_name":"ours"} \r\n', 'ours')).toBe(false);
    expect(isReady('HTTP/1.1 400 Bad Request\r\n', 'ours')).toBe(false);
  });
});

test('nats-server listens on this machine only', () => {
  const config = natsConfig({ serverName: 'n', dataDir: '/d', port: 4, maxPayload: undefined });
  expect(config).toContain('listen: "127.0.0.1:4"');
  expect(config).toContain('max_payload: 1048576');
});
