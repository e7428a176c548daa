import { AppError } from '@bomtrail/messages';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { isUtf8 } from 'node:buffer';
import type { UploadSBOMRequest } from '@bomtrail/grpc-contract';

/** A decoded upload; empty fields count as absent. */
export interface UploadMessage {
  fields: Omit<UploadSBOMRequest, 'sbom_json'>;
  /** The UTF-8 bytes of `sbom_json`: a view into the message. */
  document: Uint8Array;
}

const textFields = new Map<number, keyof UploadMessage['fields']>([
  [1, 'project_id'],
  [2, 'project_slug'],
  [3, 'version'],
  [4, 'service_name'],
]);
const documentField = 5;

/**
 * Decodes an `UploadSBOMRequest`. Unlike the generated decoder, it does not convert the document
 * (up to 64 MiB) to a string, because it is hashed and stored as bytes. Unknown fields are ignored,
 * and the last value of a repeated field counts.
 *
 * @throws AppError `malformed_body` for an invalid message or text that is not UTF-8
 */
export function decodeUpload(message: Uint8Array): UploadMessage {
  const upload: UploadMessage = {
    fields: { project_id: '', project_slug: '', version: '', service_name: '' },
    document: new Uint8Array(),
  };
  try {
    const reader = new BinaryReader(message);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      const name = textFields.get(field);
      if (wireType !== WireType.LengthDelimited) reader.skip(wireType, field);
      else if (name) upload.fields[name] = reader.string(true);
      else if (field === documentField) upload.document = reader.bytes();
      else reader.skip(wireType, field);
    }
  } catch {
    throw new AppError(
      'malformed_body',
      'The message is not a valid sbom.UploadSBOMRequest in UTF-8.',
    );
  }
  if (!isUtf8(upload.document)) throw new AppError('malformed_body', 'sbom_json is not UTF-8.');
  return upload;
}
