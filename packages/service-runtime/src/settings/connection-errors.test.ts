import { connectionErrors } from './connection-errors';

test.each([
  [{}, []],
  [{ NATS_USER: 'catalog', NATS_PASSWORD: 'x' }, []],
  [{ NATS_USER: 'catalog' }, ['NATS_USER: needs NATS_PASSWORD.']],
  [{ NATS_TLS_KEY: 'x' }, ['NATS_TLS_KEY: needs NATS_TLS_CERT.']],
  [{ MONGODB_PASSWORD: 'x' }, ['MONGODB_PASSWORD: needs MONGODB_USERNAME.']],
  [
    { NATS_NKEY: 'x', NATS_CREDS: 'y' },
    ['NATS_CREDS: is given together with NATS_NKEY; remove one.'],
  ],
])('%j stops the start with %j', (settings, lines) => {
  expect(connectionErrors(settings)).toEqual(lines);
});
