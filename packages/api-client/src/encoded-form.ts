import { randomUUID } from 'node:crypto';

/** A form with one file as multipart/form-data (RFC 7578). */
export class EncodedForm {
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;

  /**
   * @param fields undefined ones are left out
   * @param file its name must not need escaping
   */
  constructor(
    fields: Readonly<Record<string, string | undefined>>,
    file: { name: string; content: Uint8Array | string },
  ) {
    const boundary = `bomtrail-${randomUUID()}`;
    const parts: (Uint8Array | string)[] = [];
    const part = (labels: string, content: Uint8Array | string): void => {
      const head = `--${boundary}\r\nContent-Disposition: form-data; ${labels}\r\n`;
      parts.push(head, content, '\r\n');
    };
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) part(`name="${name}"\r\n`, value);
    part(
      `name="file"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n`,
      file.content,
    );
    parts.push(`--${boundary}--\r\n`);
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.bytes = Buffer.concat(parts.map((one) => Buffer.from(one as Uint8Array)));
  }
}
