import { BenchFailure } from '../bench-failure';
import type { Upload } from '../load/api';

/** Numbers of the fields of `UploadSBOMRequest` and `UploadSBOMResponse` in `proto/sbom.proto`. */
const request = { projectId: 1, version: 3, serviceName: 4, sbomJson: 5 };
const responseId = 1;

const prefixLength = 5;

/** A length-prefixed `UploadSBOMRequest`, as it is sent in the body of a gRPC call. */
export function encodeUpload(upload: Upload): Buffer {
  const message = Buffer.concat([
    field(request.projectId, Buffer.from(upload.projectId)),
    field(request.version, Buffer.from(upload.version ?? '1.0.0')),
    field(request.serviceName, Buffer.from(upload.serviceName)),
    field(request.sbomJson, upload.document),
  ]);
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** The id in a length-prefixed `UploadSBOMResponse`, its first field. Throws a `BenchFailure` without one. */
export function readSbomId(body: Buffer): string {
  const [tag, length] = [body[prefixLength], body[prefixLength + 1]];
  const begin = prefixLength + 2;
  if (tag !== tagOf(responseId) || length === undefined || body.length < begin + length) {
    throw new BenchFailure('UploadSBOM: the answer has no id');
  }
  return body.toString('utf8', begin, begin + length);
}

function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tagOf(number), ...varint(value.length)]), value]);
}

/** Wire type 2: a length, and so many bytes. */
function tagOf(number: number): number {
  return number * 8 + 2;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) + 128);
  }
}
