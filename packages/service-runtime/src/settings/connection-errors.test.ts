import { makeCertificate } from '@bomtrail/testkit';
import { checkConnections, connectionErrors } from './connection-errors';

const mongodbUser = { MONGODB_USERNAME: 'catalog', MONGODB_PASSWORD: 'x' };

test.each([
  [{}, []],
  [{ NATS_USER: 'catalog', NATS_PASSWORD: 'x' }, []],
  [{ NATS_USER: 'catalog' }, ['NATS_USER: needs NATS_PASSWORD.']],
  [
    { NATS_TLS_KEY: 'x' },
    ['NATS_TLS_KEY: needs NATS_TLS_CERT.', 'NATS_TLS_KEY: must be a key in PEM, not encrypted.'],
  ],
  [{ NATS_TLS_CA: '/run/ca.pem' }, ['NATS_TLS_CA: must be certificates in PEM.']],
  [{ MONGODB_URI: 'mongodb://h/?authMechanism=SCRAM-SHA-256', ...mongodbUser }, []],
  [{ MONGODB_URI: 'mongodb+srv://cluster.example.org' }, []],
  [{ MONGODB_URI: 'mongodb://h:99999' }, ['MONGODB_URI: Unable to parse h:99999 with URL.']],
  [{ MONGODB_URI: 'mongodb://h/?foo=bar' }, ['MONGODB_URI: option foo is not supported.']],
  [
    { MONGODB_URI: 'mongodb://u:pass/word@h' },
    ['MONGODB_URI: Password contains unescaped characters.'],
  ],
  [{ MONGODB_PASSWORD: 'x' }, ['MONGODB_PASSWORD: needs MONGODB_USERNAME.']],
  [
    { NATS_NKEY: 'x', NATS_CREDS: 'y' },
    ['NATS_CREDS: is given together with NATS_NKEY; remove one.'],
  ],
])('%j stops the start with %j', (settings, lines) => {
  expect(connectionErrors(settings)).toEqual(lines);
});

test('the key of another certificate for NATS stops the start', async () => {
  const [own, other] = [await makeCertificate('own'), await makeCertificate('other')];
  const given = { NATS_TLS_CA: own.crt, NATS_TLS_CERT: own.crt };
  expect(connectionErrors({ ...given, NATS_TLS_KEY: own.key })).toEqual([]);
  expect(connectionErrors({ ...given, NATS_TLS_KEY: other.key })).toEqual([
    'NATS_TLS_KEY: is not the key of NATS_TLS_CERT.',
  ]);
});

test.each(['tlsCAFile', 'tlsCRLFile', 'tlsCertificateKeyFile'])(
  'a URI of MongoDB whose %s cannot be read stops the start',
  (name) => {
    const named = (file: string, tls = true) => ({
      MONGODB_URI: `mongodb://h/?tls=${tls}&${name}=${file}`,
    });
    expect(() => checkConnections(named('/none/x.pem'))).toThrow(
      `MONGODB_URI: the file /none/x.pem of ${name} is not readable.`,
    );
    expect(() => checkConnections(named(__filename))).not.toThrow();
    expect(() => checkConnections(named('/none/x.pem', false))).not.toThrow();
  },
);
