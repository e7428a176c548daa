export const boundary = 'bad-requests-7MA4YWxkTrZu0gW';

/** One part, its headers as they are sent. */
export interface Part {
  headers: string;
  body: string | Buffer;
}

/** A text field. */
export function field(name: string, value: string | Buffer): Part {
  return { headers: `Content-Disposition: form-data; name="${name}"`, body: value };
}

/** A file part. */
export function file(body: string | Buffer, name = 'file', filename = 'sbom.json'): Part {
  const header = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`;
  return { headers: `${header}\r\nContent-Type: application/json`, body };
}

/** The parts between boundaries (RFC 7578), with the final one unless told otherwise. */
export function multipart(parts: readonly Part[], ending = `--${boundary}--\r\n`): Buffer {
  const bytes = parts.flatMap(({ headers, body }) => [
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...bytes, Buffer.from(ending)]);
}

export const multipartType = `multipart/form-data; boundary=${boundary}`;
