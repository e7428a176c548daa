import { X509Certificate, createPrivateKey } from 'node:crypto';

/** Names of the settings of one TLS identity. */
export interface PemNames<Name extends string> {
  /** A certificate, followed by intermediates. */
  certificate: Name;
  key: Name;
  /** CA certificates of the other side. */
  ca: Name;
}

/**
 * Texts that are no PEM, and a key of another certificate: with them each connection fails, as with a server that is
 * not there.
 */
export function pemErrors<Name extends string>(
  settings: { readonly [Each in Name]?: string | undefined },
  names: PemNames<Name>,
): { setting: Name; message: string }[] {
  const certificate = parsed(settings[names.certificate], (pem) => new X509Certificate(pem));
  const key = parsed(settings[names.key], createPrivateKey);
  const ca = parsed(settings[names.ca], (pem) => new X509Certificate(pem));
  const errors: ReturnType<typeof pemErrors<Name>> = [];
  if (certificate === 'broken')
    errors.push({ setting: names.certificate, message: 'must be a certificate in PEM' });
  if (key === 'broken')
    errors.push({ setting: names.key, message: 'must be a key in PEM, not encrypted' });
  if (ca === 'broken') errors.push({ setting: names.ca, message: 'must be certificates in PEM' });
  if (isRead(certificate) && isRead(key) && !certificate.checkPrivateKey(key))
    errors.push({ setting: names.key, message: `is not the key of ${names.certificate}` });
  return errors;
}

function parsed<Value extends object>(
  pem: string | undefined,
  parse: (pem: string) => Value,
): Value | 'broken' | undefined {
  if (!pem) return undefined;
  try {
    return parse(pem);
  } catch {
    return 'broken';
  }
}

function isRead<Value extends object>(value: Value | 'broken' | undefined): value is Value {
  return typeof value === 'object';
}
