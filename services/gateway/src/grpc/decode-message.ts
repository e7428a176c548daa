import { AppError } from '@bomtrail/messages';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { isUtf8 } from 'node:buffer';
import type { CheckSBOMRequest, UploadSBOMRequest } from '@bomtrail/grpc-contract';

type FieldType = 'string' | 'bool' | 'double' | 'int32';

/** A request message with a document, as `proto/sbom.proto` declares it. */
export interface MessageType<Name extends string = string> {
  name: string;
  fields: ReadonlyMap<number, { name: Name; type: FieldType }>;
}

/** A decoded message. */
export interface DecodedMessage<Name extends string = string> {
  /** The given fields as text, as in a form or query; empty ones are absent. */
  fields: Partial<Record<Name, string>>;
  /** The UTF-8 bytes of `sbom_json`: a view into the message. */
  document: Uint8Array;
}

type UploadField = Exclude<keyof UploadSBOMRequest, 'sbom_json'>;
type CheckField = Exclude<keyof CheckSBOMRequest, 'sbom_json'>;

const documentField = 5;

const targetFields = [
  [1, { name: 'project_id', type: 'string' }],
  [2, { name: 'project_slug', type: 'string' }],
  [3, { name: 'version', type: 'string' }],
  [4, { name: 'service_name', type: 'string' }],
] as const;

export const uploadMessage: MessageType<UploadField> = {
  name: 'sbom.UploadSBOMRequest',
  fields: new Map<number, { name: UploadField; type: FieldType }>(targetFields),
};

export const checkMessage: MessageType<CheckField> = {
  name: 'sbom.CheckSBOMRequest',
  fields: new Map<number, { name: CheckField; type: FieldType }>([
    ...targetFields,
    [6, { name: 'fail_on', type: 'string' }],
    [7, { name: 'only_new', type: 'bool' }],
    [8, { name: 'fail_on_kev', type: 'bool' }],
    [9, { name: 'max_epss', type: 'double' }],
    [10, { name: 'only_fixable', type: 'bool' }],
    [11, { name: 'baseline', type: 'string' }],
    [12, { name: 'fail_on_license', type: 'bool' }],
    [13, { name: 'min_quality', type: 'int32' }],
  ]),
};

const wireTypes: Record<FieldType, WireType> = {
  string: WireType.LengthDelimited,
  bool: WireType.Varint,
  double: WireType.Bit64,
  int32: WireType.Varint,
};

/**
 * Decodes a message with a document. Unlike the generated decoder, it does not convert the document
 * (up to 64 MiB) to a string, because it is hashed and stored as bytes. Unknown fields are ignored,
 * and the last value of a repeated field counts.
 *
 * @throws AppError `malformed_body` for an invalid message or text that is not UTF-8
 */
export function decodeMessage<Name extends string>(
  type: MessageType<Name>,
  message: Uint8Array,
): DecodedMessage<Name> {
  const given = new Map<Name, string>();
  let document: Uint8Array = new Uint8Array();
  try {
    const reader = new BinaryReader(message);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      const known = type.fields.get(field);
      if (known && wireType === wireTypes[known.type]) {
        given.set(known.name, textOf(reader, known.type));
      } else if (field === documentField && wireType === WireType.LengthDelimited) {
        document = reader.bytes();
      } else reader.skip(wireType, field);
    }
  } catch {
    throw new AppError('malformed_body', `The message is not a valid ${type.name} in UTF-8.`);
  }
  if (!isUtf8(document)) throw new AppError('malformed_body', 'sbom_json is not UTF-8.');
  const fields = [...given].filter(([, value]) => value !== '');
  return { fields: Object.fromEntries(fields) as Partial<Record<Name, string>>, document };
}

function textOf(reader: BinaryReader, type: FieldType): string {
  if (type === 'string') return reader.string(true);
  if (type === 'int32') return String(reader.int32());
  return String(type === 'bool' ? reader.bool() : reader.double());
}
