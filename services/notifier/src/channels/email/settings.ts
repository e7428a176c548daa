/** How mail is sent. */
export interface EmailSettings {
  server:
    | {
        host: string;
        port: number;
        /** `starttls`: no mail without it; `tls`: from the start; `none`: never. */
        tls: 'starttls' | 'tls' | 'none';
        login: { username: string; password: string } | undefined;
      }
    | undefined;
  from: Mailbox | undefined;
  /** For rules without recipients of their own. */
  recipients: readonly string[];
  /** To which alone rules may send to recipients of their own, as `mailDomainsOf` gives them; empty: to all. */
  domains: readonly string[];
}

export interface Mailbox {
  name: string;
  address: string;
}

/** `address` or `Name <address>`; undefined: neither. Nothing of the name means anything. */
export function mailboxOf(text: string): Mailbox | undefined {
  const match = /^(?:([^<>\r\n]*)<([^<>\s]+)>|([^<>\s]+))$/.exec(text.trim());
  if (match === null) return undefined;
  const name = (match[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
  return { name, address: match[2] ?? match[3] ?? '' };
}

/** Addresses that are separated by commas. */
export function addressesOf(text: string): string[] {
  return text
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
