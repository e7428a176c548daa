import { readSettings } from '@bomtrail/settings';
import { settings } from './config';

const needed = { MONGODB_URI: 'mongodb://x', NATS_URL: 'nats://x' };

test('the defaults are those of the contract', () => {
  expect(readSettings(settings, needed)).toMatchObject({
    HTTP_PORT: 8080,
    HTTP_HOST: '0.0.0.0',
    GRPC_PORT: 50051,
    MAX_UPLOAD_BYTES: 67_108_864,
    ALERT_ALLOW_PRIVATE_WEBHOOKS: false,
  });
});

test.each([
  ['BOMTRAIL_BOOTSTRAP_API_KEY', 'bt_short', 'must have the form bt_<12>_<43>'],
  ['MAX_UPLOAD_BYTES', '64MB', 'must be a whole number'],
  ['HTTP_PORT', 'http', 'must be a port number'],
  ['PUBLIC_URL', 'bomtrail', 'must be a URL with https:// or http://'],
  ['PUBLIC_URL', 'localhost:8080', 'must be a URL with https:// or http://'],
  ['ALERT_ALLOW_PRIVATE_WEBHOOKS', 'yes', 'must be true or false'],
  ['ALERT_EMAIL_DOMAINS', '*', 'must be domains such as example.org, comma-separated'],
  ['ALERT_MAX_RECIPIENTS', '101', 'must be 100 or less'],
])('%s=%s stops the start with a clear line, without a secret in it', (name, value, message) => {
  expect(() => readSettings(settings, { ...needed, [name]: value })).toThrow(
    `${name}: ${message}.`,
  );
});
