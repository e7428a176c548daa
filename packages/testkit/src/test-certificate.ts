import { generate } from 'selfsigned';

/** A certificate and its key, both in PEM. */
export interface TestCertificate {
  crt: string;
  key: string;
}

/** Makes a certificate for 127.0.0.1 and localhost, signed by `signer` or by itself; it may sign others. */
export async function makeCertificate(
  name: string,
  signer?: TestCertificate,
): Promise<TestCertificate> {
  const made = await generate([{ name: 'commonName', value: name }], {
    algorithm: 'sha256',
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
    ...(signer ? { ca: { key: signer.key, cert: signer.crt } } : {}),
  });
  return { crt: made.cert, key: made.private };
}
