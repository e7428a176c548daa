import { uploadPath as path, type Transports, type HostileInput } from '../hostile-input';
import { accepted, npm, tooLarge, withComponents } from './documents';

/** Pieces of a body. */
function split(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
}

/** A document of so many components that comes in pieces of so many bytes, a tenth of a second apart. */
async function dribble(transports: Transports, piece: number, components = 300) {
  const file = withComponents(
    Array.from({ length: components }, (_, n) => npm(`slow-${piece}-${n}`)),
  );
  const { contentType, parts } = transports.form(file);
  const body = Buffer.concat(parts);
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  return [await transports.send({ path, headers }, split(body, piece), 100)];
}

/** The line may be closed while headers are still being sent, which loses the answer. */
const headersRefused = ['431 headers_too_large', 'closed'];

function headerFlood(
  name: string,
  what: string,
  headers: () => Record<string, string>,
): HostileInput {
  return {
    name: `headers-${name}`,
    what,
    expected: headersRefused,
    send: async (transports) => [await transports.send({ path, headers: headers() }, [])],
  };
}

export const lineInputs: readonly HostileInput[] = [
  {
    name: 'parts',
    what: '200,000 parts of multipart',
    expected: tooLarge,
    send: async (transports) => {
      const { contentType, parts } = transports.form(withComponents([]));
      const boundary = contentType.slice(contentType.indexOf('=') + 1);
      const one = `--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n`;
      const body = [Buffer.from(one.repeat(200_000)), ...parts];
      const length = body.reduce((sum, { length }) => sum + length, 0);
      const headers = { 'content-type': contentType, 'content-length': String(length) };
      return [await transports.send({ path, headers }, body)];
    },
  },
  {
    name: 'slow',
    what: 'a client that sends 20 bytes a tenth of a second',
    expected: ['408 request_timeout'],
    send: (transports) => dribble(transports, 20),
  },
  {
    name: 'slow-enough',
    what: 'a client that sends 1,200 bytes a tenth of a second',
    expected: accepted,
    send: (transports) => dribble(transports, 1_200, 1_000),
  },
  {
    name: 'slow-hundred',
    what: 'a hundred clients that send 20 bytes a tenth of a second, at once',
    expected: ['408 request_timeout'],
    send: async (transports) => {
      const clients = Array.from({ length: 100 }, () => dribble(transports, 20));
      return (await Promise.all(clients)).flat();
    },
  },
  headerFlood('long', 'a header of 10 MB', () => ({ 'x-long': 'y'.repeat(10_000_000) })),
  headerFlood('many', '100,000 headers', () =>
    Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`x-${n}`, 'y'])),
  ),
];
