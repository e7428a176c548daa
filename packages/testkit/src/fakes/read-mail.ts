/** A parsed mail. */
export interface Mail {
  raw: string;
  /** Decoded headers by lower-case name; a repeated header has several values. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** The part `text/plain`, decoded. */
  text: string;
  /** The part `text/html`, decoded. */
  html: string;
}

/** Parses a mail with a text and an HTML part (RFC 2045, RFC 2047), as far as tests need it. */
export function readMail(bytes: Buffer): Mail {
  const raw = bytes.toString('utf8');
  const mail = entityOf(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(mail.headers.get('content-type')?.[0] ?? '')?.[1];
  const parts =
    boundary === undefined
      ? [mail]
      : mail.body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => entityOf(part.replace(/^\r\n/, '')));
  const bodyOf = (type: string) =>
    parts.find(({ headers }) => headers.get('content-type')?.[0]?.startsWith(type));
  return {
    raw,
    headers: mail.headers,
    text: decoded(bodyOf('text/plain')),
    html: decoded(bodyOf('text/html')),
  };
}

interface Entity {
  headers: Map<string, string[]>;
  body: string;
}

function entityOf(text: string): Entity {
  const end = text.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = words(line.slice(line.indexOf(':') + 1).trim());
    headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  return { headers, body: text.slice(end + 4) };
}

function decoded(entity: Entity | undefined): string {
  if (entity === undefined) return '';
  const body = entity.body.replace(/\r\n/g, '\n').replace(/\n$/, '');
  switch (entity.headers.get('content-transfer-encoding')?.[0]?.toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8');
    case 'quoted-printable':
      return unquoted(body.replace(/=\n/g, ''));
    default:
      return body;
  }
}

/** Decodes encoded words; white space between two of them is dropped. */
function words(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : latin(text.replace(/_/g, ' ')),
    )
    .replace(/[\x80-\xff]+/g, (text) => Buffer.from(text, 'latin1').toString('utf8'));
}

function latin(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function unquoted(text: string): string {
  return Buffer.from(latin(text), 'latin1').toString('utf8');
}
