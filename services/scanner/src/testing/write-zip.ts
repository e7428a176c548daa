import { crc32 } from 'node:zlib';

const localSignature = 0x04034b50;
const directorySignature = 0x02014b50;
const endSignature = 0x06054b50;
const version = 20;
const deflated = 8;

/**
 * Builds a zip file with uncompressed entries. Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12,
 * 4.3.16.
 *
 * @param claims sizes that the directory states for entries, which are then marked as compressed
 */
export function writeZip(
  files: Readonly<Record<string, string | Buffer>>,
  claims: Readonly<Record<string, number>> = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const path = Buffer.from(name);
    // Version, flags, method, time, date, checksum, two sizes, two lengths.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(version, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(claims[name] ?? bytes.length, 18);
    if (claims[name] !== undefined) common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([uint32(localSignature), common, path, bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([version, 0]);
    directory.push(Buffer.concat([uint32(directorySignature), madeBy, common, rest, path]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, entries, uint32(endSignature), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
