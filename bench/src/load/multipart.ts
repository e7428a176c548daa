const boundary = 'bomtrail-bench-7MA4YWxkTrZu0gW';

export interface MultipartBody {
  contentType: string;
  /** To be sent one after the other; the file is not copied. */
  parts: Buffer[];
}

/** A multipart/form-data body (RFC 7578) of text fields, in the given order, and then one JSON file. */
export function multipartUpload(fields: Record<string, string>, file: Buffer): MultipartBody {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const fileHead =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="sbom.json"\r\n` +
    'Content-Type: application/json\r\n\r\n';
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    parts: [Buffer.from(parts.join('') + fileHead), file, Buffer.from(`\r\n--${boundary}--\r\n`)],
  };
}
