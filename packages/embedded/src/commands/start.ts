import { relative } from 'node:path';
import { dataDirOf } from '../repository';
import type { Stack } from '../stack/start-stack';
import { DEFAULT_GRPC_PORT, DEFAULT_HTTP_PORT, portSetting } from './ports';
import { serveUntilStopped, startUnlessStopped } from './run-stack';

/** `start`: runs bomtrail on `BOMTRAIL_DATA_DIR` until Ctrl-C. */
export async function start(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const { stack, stopRequested } = await startUnlessStopped({
    dataDir: dataDirOf(env),
    httpPort: portSetting('HTTP_PORT', env['HTTP_PORT']) ?? DEFAULT_HTTP_PORT,
    grpcPort: portSetting('GRPC_PORT', env['GRPC_PORT']) ?? DEFAULT_GRPC_PORT,
    proxied: true,
    say,
  });
  for (const line of welcome(stack)) say(line);
  await serveUntilStopped({ stack, stopRequested, say });
}

/** Formats the start message: address, API key (in full on the first start only), next steps. */
export function welcome(
  stack: Pick<Stack, 'baseUrl' | 'grpcPort' | 'apiKey' | 'apiKeyOrigin' | 'apiKeyFile'>,
): string[] {
  const inHere = relative(process.cwd(), stack.apiKeyFile);
  const file = inHere.startsWith('..') ? stack.apiKeyFile : inHere;
  const fromFile = `"Authorization: Bearer $(cat ${file})"`;
  const fromSetting = '"Authorization: Bearer $BOMTRAIL_BOOTSTRAP_API_KEY"';
  const header = stack.apiKeyOrigin === 'setting' ? fromSetting : fromFile;
  return [
    `bomtrail is ready at ${stack.baseUrl} (reference: /api/docs)`,
    `gRPC uploads at 127.0.0.1:${stack.grpcPort}`,
    keyLine(stack.apiKey, stack.apiKeyOrigin, file),
    `Try: curl -H ${header} ${stack.baseUrl}/api/v1/projects`,
    'Ctrl-C stops it.',
  ];
}

function keyLine(key: string, origin: Stack['apiKeyOrigin'], file: string): string {
  switch (origin) {
    case 'made-now':
      return `API key, shown this once and kept in ${file}: ${key}`;
    case 'stored':
      return `API key: in ${file}`;
    case 'setting':
      return 'API key: the one in BOMTRAIL_BOOTSTRAP_API_KEY';
  }
}
