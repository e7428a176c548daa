import { checkPath, type Answer, type HostileInput, type Transports } from '../hostile-input';
import { large, npm, withComponents } from './documents';

const checked = ['200'];

const small = (name: string): Buffer => withComponents([npm(name)]);

/**
 * Clients that begin a check and close the connection, half of them inside the document, half while the check runs;
 * then one that waits for its answer, which needs a slot.
 */
async function leaving(transports: Transports, clients: number): Promise<Answer[]> {
  const { contentType, parts } = transports.form(large(20_000, 8_000_000));
  const body = Buffer.concat(parts);
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  const head = { path: checkPath, headers };
  const half = body.subarray(0, body.length / 2);
  await Promise.all(
    Array.from({ length: clients }, (_, n) =>
      transports.leave(head, [n % 2 === 0 ? half : body], 200 + n * 20),
    ),
  );
  return [await transports.check(small('after-leaving'))];
}

/** Checks, which store nothing: the document is in memory and in the worker threads only. */
export const checkInputs: readonly HostileInput[] = [
  {
    name: 'check-60-mb',
    what: 'a check of 60 MB with 300,000 components',
    expected: checked,
    send: async (transports) => [await transports.check(large(300_000, 60_000_000))],
  },
  {
    name: 'checks-ten-40-mb',
    what: 'ten checks of 40 MB with 100,000 components each, at once',
    expected: checked,
    send: (transports) => {
      const shared = large(100_000, 40_000_000).subarray(1);
      const files = Array.from({ length: 10 }, (_, n) =>
        Buffer.concat([Buffer.from(`{"serialNumber":"${n}",`), shared]),
      );
      return Promise.all(files.map((file) => transports.check(file)));
    },
  },
  {
    name: 'checks-many',
    what: '400 checks at once, more than run and wait, and an upload beside them',
    expected: [...checked, '201'],
    send: async (transports) => {
      const checks = Array.from({ length: 400 }, (_, n) => transports.check(small(`many-${n}`)));
      const upload = transports.upload(small('beside-checks'));
      return Promise.all([...checks, upload]);
    },
  },
  {
    name: 'check-million',
    what: 'a check of 1,000,000 tiny components',
    expected: ['413 too_many_components'],
    send: async (transports) => {
      const components = Array.from({ length: 1_000_000 }, () => ({ type: 'library', name: 'a' }));
      return [await transports.check(withComponents(components))];
    },
  },
  {
    name: 'check-leaving',
    what: '40 clients that close their connection inside or after the document, then one that stays',
    expected: checked,
    send: (transports) => leaving(transports, 40),
  },
];
