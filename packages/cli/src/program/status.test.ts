import { Readable } from 'node:stream';
import { CliError } from '../exit-codes';
import { buildProgram } from '../program';

/** The end of a call; `run` if it would have asked the server. */
async function end(...args: string[]): Promise<unknown> {
  const context = (): never => {
    throw new Error('run');
  };
  const deps = { version: '1', folder: '/', input: Readable.from([]), context, ended: () => {} };
  const call = buildProgram(deps).parseAsync(['node', 'bomtrail', 'status', ...args]);
  return call.catch((error: Error) => (error instanceof CliError ? error.exitCode : error.message));
}

test('a gate of an SBOM whose id is missing does not pass as the state of the server', async () => {
  expect(await end('--fail-on', 'high')).toBe(2);
  expect(await end('--wait=5m', '--output', 'json')).toBe(2);
  for (const empty of ['', ' ']) expect(await end(empty, '--fail-on', 'high')).toBe(2);
  expect(await end()).toBe('run');
  expect(await end('--url', 'http://bomtrail.example')).toBe('run');
  expect(await end('id', '--fail-on', 'high')).toBe('run');
});
