import { Readable } from 'node:stream';
import { buildProgram } from '../program';

test.each(['evidence', 'services list', 'acceptances list', 'decision-rules list'])(
  '%s is of whole projects and takes no service: it would list the others, too',
  async (call) => {
    const context = (): never => {
      throw new Error('run');
    };
    const deps = { version: '1', folder: '/', input: Readable.from([]), context, ended: () => {} };
    const end = (...flags: string[]) =>
      buildProgram(deps).parseAsync(['node', 'bomtrail', ...call.split(' '), ...flags]);
    await expect(end('--project', 'shop')).rejects.toThrow('run');
    await expect(end('--project', 'shop', '--service', 'web')).rejects.toThrow(
      "unknown option '--service'",
    );
  },
);
