import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';
import { dataDirOf, repositoryRoot } from '../repository';
import { builtServices, SERVICE_NAMES, type ServiceCommand } from '../stack/services';
import { DEFAULT_GRPC_PORT, DEFAULT_HTTP_PORT, portSetting } from './ports';
import { serveUntilStopped, startUnlessStopped } from './run-stack';
import { welcome } from './start';

/** First inspector port; the n-th named service listens n ports further on. */
const inspectorPort = 9229;

/** A restart waits for no open request. */
const quickStop = { SHUTDOWN_DRAIN_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '1' };

/** What `npm run dev` was asked to do. */
export interface DevArguments {
  /** Services that listen for a debugger. */
  inspected: string[];
}

/**
 * Reads `[service…] [--inspect]`.
 *
 * @throws OperatorError for an unknown service or flag, and for a service without `--inspect`
 */
export function readDevArguments(args: readonly string[]): DevArguments {
  const names: readonly string[] = SERVICE_NAMES;
  const inspected = args.filter((arg) => names.includes(arg));
  const unknown = args.find((arg) => arg !== '--inspect' && !names.includes(arg));
  const usage = `Usage: npm run dev [-- <${names.join('|')}>… --inspect]`;
  if (unknown !== undefined) throw new OperatorError(`Unknown argument ${unknown}. ${usage}`);
  if (args.includes('--inspect') !== inspected.length > 0) throw new OperatorError(usage);
  return { inspected };
}

/** The command of a service that restarts when a file that it has loaded changes, with an inspector if it is asked for. */
export function watched(service: ServiceCommand, { inspected }: DevArguments): ServiceCommand {
  const index = inspected.indexOf(service.name);
  const inspector = index < 0 ? [] : [`--inspect=127.0.0.1:${inspectorPort + index}`];
  const flags = ['--watch', '--watch-preserve-output', '--enable-source-maps', ...inspector];
  return { ...service, args: [...flags, ...service.args] };
}

/**
 * `dev`: runs the embedded servers and the six services on `BOMTRAIL_DATA_DIR`, compiles on change and restarts the
 * services that have loaded a changed file.
 *
 * @throws OperatorError for wrong arguments
 */
export async function dev(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const given = readDevArguments(args);
  const root = repositoryRoot();
  const { stack, stopRequested } = await startUnlessStopped({
    dataDir: dataDirOf(env),
    httpPort: portSetting('HTTP_PORT', env['HTTP_PORT']) ?? DEFAULT_HTTP_PORT,
    grpcPort: portSetting('GRPC_PORT', env['GRPC_PORT']) ?? DEFAULT_GRPC_PORT,
    env: quickStop,
    services: builtServices(root).map((service) => watched(service, given)),
    say,
  });
  const compiler = compileOnChange(root);
  for (const line of welcome(stack)) say(line);
  for (const [index, name] of given.inspected.entries())
    say(`Inspector of ${name}: 127.0.0.1:${inspectorPort + index}`);
  try {
    await serveUntilStopped({ stack, stopRequested, say });
  } finally {
    compiler.kill();
  }
}

/** Compiles the services and the packages that they use whenever a source file changes. */
function compileOnChange(root: string): ChildProcess {
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const projects = SERVICE_NAMES.map((name) => join('services', name));
  const flags = ['-b', ...projects, '--watch', '--preserveWatchOutput'];
  return spawn(process.execPath, [compiler, ...flags], { cwd: root, stdio: 'inherit' });
}
