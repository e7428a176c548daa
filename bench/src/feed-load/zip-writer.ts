import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { crc32, deflateRawSync } from 'node:zlib';

/** A zip file that is written entry by entry: memory holds its directory only. */
export interface ZipWriter {
  add(name: string, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

const version = 45;
const deflated = 8;
/** What the small fields of the end record say when the zip64 record has the figures. */
const seeZip64 = 0xffffffff;
const seeZip64Count = 0xffff;

/** Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16. */
export function createZipWriter(file: string): ZipWriter {
  const stream = createWriteStream(file);
  const directory: Buffer[] = [];
  let offset = 0;
  async function write(bytes: Buffer): Promise<void> {
    offset += bytes.length;
    if (!stream.write(bytes)) await once(stream, 'drain');
  }
  return {
    async add(name, bytes) {
      const path = Buffer.from(name);
      const packed = deflateRawSync(bytes, { level: 1 });
      // Version, flags, method, time, date, checksum, two sizes, two lengths.
      const common = Buffer.alloc(26);
      common.writeUInt16LE(version, 0);
      common.writeUInt16LE(deflated, 4);
      common.writeUInt32LE(crc32(bytes), 10);
      common.writeUInt32LE(packed.length, 14);
      common.writeUInt32LE(bytes.length, 18);
      common.writeUInt16LE(path.length, 22);
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(offset, 10);
      const madeBy = Buffer.from([version, 0]);
      directory.push(Buffer.concat([signature(0x02014b50), madeBy, common, rest, path]));
      await write(Buffer.concat([signature(0x04034b50), common, path, packed]));
    },
    async close() {
      const start = offset;
      for (const entry of directory) await write(entry);
      await write(endRecords({ start, end: offset, count: directory.length }));
      stream.end();
      await once(stream, 'close');
    },
  };
}

function endRecords(at: { start: number; end: number; count: number }): Buffer {
  const zip64 = Buffer.alloc(52);
  zip64.writeBigUInt64LE(44n, 0);
  zip64.writeUInt16LE(version, 8);
  zip64.writeUInt16LE(version, 10);
  zip64.writeBigUInt64LE(BigInt(at.count), 20);
  zip64.writeBigUInt64LE(BigInt(at.count), 28);
  zip64.writeBigUInt64LE(BigInt(at.end - at.start), 36);
  zip64.writeBigUInt64LE(BigInt(at.start), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(BigInt(at.end), 4);
  locator.writeUInt32LE(1, 12);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Math.min(at.count, seeZip64Count), 4);
  end.writeUInt16LE(Math.min(at.count, seeZip64Count), 6);
  end.writeUInt32LE(seeZip64, 8);
  end.writeUInt32LE(seeZip64, 12);
  return Buffer.concat([
    signature(0x06064b50),
    zip64,
    signature(0x07064b50),
    locator,
    signature(0x06054b50),
    end,
  ]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
