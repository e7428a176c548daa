/** The settings of sign-in that depend on each other. */
export interface OidcSettings {
  OIDC_ISSUER?: string | undefined;
  OIDC_AUDIENCE?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  PUBLIC_URL?: string | undefined;
}

const local = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Errors of settings that do not fit together. */
export function oidcErrors(
  settings: OidcSettings,
): { setting: keyof OidcSettings; message: string }[] {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: client } = settings;
  const errors: { setting: keyof OidcSettings; message: string }[] = [];
  const error = (setting: keyof OidcSettings, message: string): void =>
    void errors.push({ setting, message });
  if (issuer === undefined) {
    if (audience !== undefined) error('OIDC_AUDIENCE', 'needs OIDC_ISSUER');
    if (client !== undefined) error('OIDC_CLIENT_ID', 'needs OIDC_ISSUER');
  } else {
    if (audience === undefined && client === undefined)
      error('OIDC_ISSUER', 'needs OIDC_CLIENT_ID for the page, OIDC_AUDIENCE for tokens, or both');
    if (isPlain(issuer))
      error('OIDC_ISSUER', 'must be https://, except for a provider on this machine');
  }
  if (settings.OIDC_CLIENT_SECRET !== undefined && client === undefined)
    error('OIDC_CLIENT_SECRET', 'needs OIDC_CLIENT_ID');
  if (client !== undefined && settings.PUBLIC_URL === undefined)
    error('OIDC_CLIENT_ID', 'needs PUBLIC_URL, where the provider sends people back to');
  return errors;
}

function isPlain(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && !local.has(hostname);
}
