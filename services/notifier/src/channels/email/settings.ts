/** Settings of the email channel. */
export interface EmailSettings {
  server:
    | {
        host: string;
        port: number;
        /** `starttls`: required; `tls`: from the start; `none`: never. */
        tls: 'starttls' | 'tls' | 'none';
        login: { username: string; password: string } | undefined;
      }
    | undefined;
  from: Mailbox | undefined;
  /** Default recipients. */
  recipients: readonly string[];
  /** Allowed domains of rules' recipients, as `mailDomainsOf` returns them; empty: all. */
  domains: readonly string[];
}

export interface Mailbox {
  name: string;
  address: string;
}

/** Parses `address` or `Name <address>`; undefined if neither. */
export function mailboxOf(text: string): Mailbox | undefined {
  const match = /^(?:([^<>\r\n]*)<([^<>\s]+)>|([^<>\s]+))$/.exec(text.trim());
  if (match === null) return undefined;
  const name = (match[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
  return { name, address: match[2] ?? match[3] ?? '' };
}

/** Parses comma-separated addresses. */
export function addressesOf(text: string): string[] {
  return text
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
