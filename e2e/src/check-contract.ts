import path from 'node:path';
import { endWith } from '@bomtrail/embedded';
import { installSchemathesis } from './contract/install-schemathesis';
import { contractFolder, runSchemathesis } from './contract/run-schemathesis';
import { idOfKey, seed } from './contract/seed';
import { isValidDocument } from './contract/validate-document';
import { exceptionsIn } from './support/exception-lines';
import { startTestStack } from './support/test-stack';

const usualSeed = 1;

/**
 * Holds a live stack to the contract that it serves, with requests made from it. Exit code 1 when an
 * answer is not as the contract says, the contract is no valid OpenAPI 3.1, or the gateway logged an exception.
 *
 * @param args `--seed <number>`, and options of `schemathesis run`
 */
async function main(args: string[]): Promise<number> {
  const say = (line: string): void => console.log(line);
  const installed = await installSchemathesis(path.join(contractFolder, 'requirements.txt'), say);
  const running = await startTestStack({ say });
  try {
    await seed(running);
    const { baseUrl, apiKey } = running.stack;
    say('Validating the served document …');
    const isValid = await isValidDocument(installed, baseUrl);
    const apiKeyId = await idOfKey(running.stack);
    const target = { baseUrl, apiKey, apiKeyId };
    const code = await runSchemathesis({ installed, ...target, seed: usualSeed, options: args });
    const exceptions = exceptionsIn(running.dataDir);
    for (const line of exceptions) say(`Exception: ${line}`);
    return isValid && code === 0 && exceptions.length === 0 ? 0 : 1;
  } finally {
    await running.stop();
  }
}

endWith(main(process.argv.slice(2)));
