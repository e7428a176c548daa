import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack } from '@bomtrail/embedded';
import type { Report } from '../report';
import type { Say } from '../tools/fetch';
import { linesOf, run } from '../tools/run';
import { chartFile } from './files';

/** The script of `helm test` against a running product: it passes, and does not with another key. */
export async function checkUploadTest(report: Report, say: Say): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bomtrail-delivery-'));
  const env = { BOMTRAIL_ADVISORY_SOURCE: 'starter' };
  const stack = await startStack({ dataDir, httpPort: 0, grpcPort: 0, env, say: () => undefined });
  try {
    const script = (keyFile: string) =>
      run(process.execPath, [chartFile('files', 'upload.mjs')], {
        env: { BASE_URL: stack.baseUrl, API_KEY_FILE: keyFile, TIMEOUT_SECONDS: '60' },
      });
    const good = await script(stack.apiKeyFile);
    say(good.stdout.trim());
    const worked = good.code === 0 && good.stdout.includes('lodash');
    report.check(
      'helm test: the script against a running product',
      worked ? [] : linesOf(good.stderr),
    );
    const keyFile = path.join(dataDir, 'another-key');
    await writeFile(keyFile, `bt_${'a'.repeat(12)}_${'b'.repeat(43)}`);
    const unknown = await script(keyFile);
    report.check('helm test: the script fails with an unknown key', [
      ...(unknown.code === 1 && unknown.stderr.includes(': 401 ') ? [] : [unknown.stderr]),
    ]);
    await writeFile(keyFile, 'secret\nof another kind');
    const none = await script(keyFile);
    report.check('helm test: the script sends and shows nothing that is no key', [
      ...(none.code === 1 && none.stderr.includes('no API key') ? [] : [none.stderr]),
      ...(none.stderr.includes('secret') ? ['it shows what is in the file'] : []),
    ]);
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
