/**
 * A message body: JSON, followed by the bytes of an attachment.
 * Layout: 4 bytes big-endian length of the JSON, the JSON in UTF-8, the attachment.
 */
export interface Frame {
  json: unknown;
  attachment: Uint8Array | null;
}

const lengthBytes = 4;

export function encodeFrame({ json, attachment }: Frame): Uint8Array {
  const text = JSON.stringify(json);
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(lengthBytes + length + (attachment?.byteLength ?? 0));
  frame.writeUInt32BE(length);
  frame.write(text, lengthBytes);
  if (attachment) frame.set(attachment, lengthBytes + length);
  return frame;
}

/** @throws Error when the bytes are not a frame */
export function decodeFrame(bytes: Uint8Array): Frame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = lengthBytes + (buffer.length >= lengthBytes ? buffer.readUInt32BE(0) : Infinity);
  if (end > buffer.length) throw new Error('The message is shorter than its frame length.');
  const json: unknown = JSON.parse(buffer.toString('utf8', lengthBytes, end));
  return { json, attachment: end < buffer.length ? buffer.subarray(end) : null };
}
