/**
 * A message body: JSON, followed by the bytes of an attachment.
 * Layout: 4 bytes big-endian length of the JSON, the JSON in UTF-8, the attachment.
 */
export interface Frame {
  json: unknown;
  attachment: Uint8Array | null;
}

const lengthBytes = 4;

export function encodeFrame(frame: Frame): Uint8Array {
  const json = Buffer.from(JSON.stringify(frame.json), 'utf8');
  const head = Buffer.allocUnsafe(lengthBytes);
  head.writeUInt32BE(json.length);
  return frame.attachment
    ? Buffer.concat([head, json, frame.attachment])
    : Buffer.concat([head, json]);
}

/** @throws Error when the bytes are not a frame */
export function decodeFrame(bytes: Uint8Array): Frame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = lengthBytes + (buffer.length >= lengthBytes ? buffer.readUInt32BE(0) : Infinity);
  if (end > buffer.length) throw new Error('The message is shorter than its frame length.');
  const json: unknown = JSON.parse(buffer.toString('utf8', lengthBytes, end));
  return { json, attachment: end < buffer.length ? buffer.subarray(end) : null };
}
