import { gzipSync } from 'node:zlib';
import { uploadPath, type HostileInput } from '../hostile-input';
import { accepted, cycloneDx, document, large, overGrpc, tooLarge } from './documents';

const mebibyte = 1024 ** 2;

/** gzip'd white space: members may follow each other (RFC 1952), so that none is made twice. */
function bomb(unpackedMebibytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(64 * mebibyte, ' '), { level: 9 });
  return Buffer.concat(Array.from({ length: unpackedMebibytes / 64 }, () => member));
}

const million = (): Buffer => {
  const listed = Array.from({ length: 1_000_000 }, () => '{"type":"library","name":"a"}');
  return Buffer.from(cycloneDx(`"components":[${listed.join(',')}]`));
};
const sixtyMegabytes = (): Buffer => large(300_000, 60_000_000);

export const bigInputs: readonly HostileInput[] = [
  document('60-mb', '60 MB with 300,000 components', {
    file: sixtyMegabytes,
    expected: accepted,
  }),
  overGrpc('60-mb', sixtyMegabytes, 'grpc 0'),
  {
    name: 'ten-40-mb',
    what: 'ten of 40 MB with 100,000 components each, at once',
    expected: accepted,
    send: (transports) => {
      const shared = large(100_000, 40_000_000).subarray(1);
      const files = Array.from({ length: 10 }, (_, n) =>
        Buffer.concat([Buffer.from(`{"serialNumber":"${n}",`), shared]),
      );
      return Promise.all(files.map((file) => transports.upload(file)));
    },
  },
  document('million', '1,000,000 tiny components', {
    file: million,
    expected: ['413 too_many_components'],
  }),
  overGrpc('million', million, 'grpc 8'),
  document('one-string', 'one string of 60 MB', {
    file: () => Buffer.from(cycloneDx(`"x":"${'y'.repeat(60_000_000)}"`)),
    expected: accepted,
  }),
  document('65-mib', '65 MiB', {
    file: () => Buffer.alloc(65 * mebibyte, ' '),
    expected: tooLarge,
  }),
  document('gzip-bomb', "a gzip'd file that unpacks to 8 GiB", {
    file: () => bomb(8192),
    expected: tooLarge,
  }),
  {
    name: 'gzip-bomb-body',
    what: 'a body in Content-Encoding: gzip that unpacks to 8 GiB',
    expected: tooLarge,
    send: async (transports) => {
      const { contentType, parts } = transports.form(Buffer.alloc(0));
      const [head = Buffer.alloc(0)] = parts;
      const body = Buffer.concat([gzipSync(head), bomb(8192)]);
      const headers = {
        'content-type': contentType,
        'content-encoding': 'gzip',
        'content-length': String(body.length),
      };
      return [await transports.send({ path: uploadPath, headers }, [body])];
    },
  },
  document('gzip-nested', "a gzip'd gzip'd document", {
    file: () => gzipSync(gzipSync(cycloneDx())),
    expected: ['400 malformed_json'],
  }),
  document('gzip-blank', "a gzip'd document with 60 MB of white space", {
    file: () => gzipSync(cycloneDx() + ' '.repeat(60_000_000)),
    expected: accepted,
  }),
];
