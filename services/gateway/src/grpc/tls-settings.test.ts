import { makeCertificate } from '@bomtrail/testkit';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@bomtrail/settings';
import { settings } from '../config';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tls-settings-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of a certificate and its key. */
async function pair(name: string): Promise<{ crt: string; key: string }> {
  const [key, crt] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const made = await makeCertificate(name);
  writeFileSync(key, made.key);
  writeFileSync(crt, made.crt);
  return { crt, key };
}

const needed = { MONGODB_URI: 'mongodb://x', NATS_URL: 'nats://x' };
const read = (given: Record<string, string>) => readSettings(settings, { ...needed, ...given });

test('a pair comes from files, or as text', async () => {
  const { crt, key } = await pair('own');
  expect(read({ GRPC_TLS_CERT_FILE: crt, GRPC_TLS_KEY_FILE: key })).toMatchObject({
    GRPC_TLS_CERT: readFileSync(crt, 'utf8').trimEnd(),
  });
  expect(() =>
    read({ GRPC_TLS_CERT: readFileSync(crt, 'utf8'), GRPC_TLS_KEY_FILE: key }),
  ).not.toThrow();
});

test('half a pair, a text that is no PEM and the key of another certificate stop the start with a clear line', async () => {
  const [own, other] = [await pair('own'), await pair('other')];
  const lines = (given: Record<string, string>) => () => read(given);
  const certificate = { GRPC_TLS_CERT_FILE: own.crt };
  const key = { GRPC_TLS_KEY_FILE: own.key };
  expect(lines(certificate)).toThrow('GRPC_TLS_CERT: needs GRPC_TLS_KEY beside it.');
  expect(lines(key)).toThrow('GRPC_TLS_KEY: needs GRPC_TLS_CERT beside it.');
  expect(lines({ GRPC_TLS_CLIENT_CA_FILE: own.crt })).toThrow(
    'GRPC_TLS_CLIENT_CA: needs GRPC_TLS_CERT beside it.',
  );
  expect(lines({ ...key, GRPC_TLS_CERT: 'x' })).toThrow(
    'GRPC_TLS_CERT: must be a certificate in PEM.',
  );
  expect(lines({ ...certificate, GRPC_TLS_KEY: 'x' })).toThrow(
    'GRPC_TLS_KEY: must be a key in PEM, not encrypted.',
  );
  expect(lines({ ...certificate, GRPC_TLS_KEY_FILE: other.key })).toThrow(
    'GRPC_TLS_KEY: is not the key of GRPC_TLS_CERT.',
  );
  expect(lines({ ...certificate, ...key, GRPC_TLS_CLIENT_CA: 'x' })).toThrow(
    'GRPC_TLS_CLIENT_CA: must be certificates in PEM.',
  );
});
