import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeCertificate } from '@bomtrail/testkit';

/** Files of an authority, and of a certificate for this machine that it signed. */
export interface Certificates {
  /** Has all of them: `ca.crt`, `tls.crt`, `tls.key`. */
  folder: string;
  authority: string;
  certificate: string;
  key: string;
}

/** Makes them, for servers and clients. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, pem: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, pem, { mode: 0o600 });
    return file;
  };
  const signer = await makeCertificate('ca');
  const { crt, key } = await makeCertificate('localhost', signer);
  return {
    folder,
    authority: write('ca.crt', signer.crt),
    certificate: write('tls.crt', crt),
    key: write('tls.key', key),
  };
}
