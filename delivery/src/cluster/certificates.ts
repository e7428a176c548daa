import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from '@bomtrail/embedded';

/** Files of an authority, and of a certificate for this machine that it signed. */
export interface Certificates {
  /** Has all of them: `ca.crt`, `tls.crt`, `tls.key`. */
  folder: string;
  authority: string;
  certificate: string;
  key: string;
}

const days = ['-days', '2'];

/** Makes them with openssl, for servers and clients. @throws Error with its reason */
export async function makeCertificates(folder: string): Promise<Certificates> {
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]): Promise<unknown> => mustRun('openssl', args);
  const newKey = ['req', '-newkey', 'rsa:2048', '-nodes'];
  const [authority, authorityKey] = [file('ca.crt'), file('ca.key')];
  await openssl(
    ...newKey,
    '-x509',
    ...days,
    '-subj',
    '/CN=ca',
    '-keyout',
    authorityKey,
    '-out',
    authority,
  );
  const [certificate, key, request] = [file('tls.crt'), file('tls.key'), file('tls.csr')];
  await openssl(...newKey, '-subj', '/CN=localhost', '-keyout', key, '-out', request);
  writeFileSync(
    file('extensions'),
    'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  await openssl(
    ...['x509', '-req', ...days, '-in', request, '-CA', authority, '-CAkey', authorityKey],
    ...['-CAcreateserial', '-extfile', file('extensions'), '-out', certificate],
  );
  return { folder, authority, certificate, key };
}
