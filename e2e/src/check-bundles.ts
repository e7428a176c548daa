import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitForScan } from '@bomtrail/api-client';
import { freePort, OperatorError, SERVICE_NAMES, type ServiceCommand } from '@bomtrail/embedded';
import { eventually, startGatewayProxy } from '@bomtrail/testkit';
import { checkCaddyfile } from './bundles/check-caddyfile';
import { checkTools } from './bundles/check-tools';
import { imageUser, layOutImages, rootsIn, type ImageRoots } from './bundles/image-roots';
import { steadyLoad } from './bundles/steady-load';
import { example } from './support/examples';
import { makeBundles } from './support/shipped';
import { startTestStack, type TestStack } from './support/test-stack';

/** The gateways say for so long that they are not ready before they end: the proxy looks four times a second. */
const drainSeconds = 2;
/** After that a service is given up: the stack's own grace. */
const endsWithinMs = 15_000;
const rounds = 2;

const say = (line: string): void => console.log(line);

/**
 * Runs the product from the bundles as its images start them, each in its own root without rights where
 * this machine allows it (with `--roots FOLDER`: in those of images that were built): health checks, a scan, a rolling restart of two gateways under load without a
 * failed request, and SIGTERM to every service. Throws with what is not as it should be.
 */
async function main([option, roots]: readonly string[]): Promise<void> {
  if (option !== undefined && (option !== '--roots' || roots === undefined))
    throw new OperatorError('Usage: npm run test:bundles [-- --roots FOLDER]');
  const isChecked = await checkCaddyfile();
  say(
    isChecked
      ? 'The proxy of the containers does what it should.'
      : 'No caddy on the PATH: deploy/proxy is not tried.',
  );
  await makeBundles();
  const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-images-'));
  try {
    await promisify(execFile)('chmod', ['755', folder]);
    const images = roots === undefined ? await layOutImages(folder) : rootsIn(path.resolve(roots));
    say(
      images.isolated
        ? 'Each service has the root of its image, and a user without rights.'
        : 'Not root on a Debian: the bundles run where they lie, as this user.',
    );
    await checkStack(images, folder);
  } finally {
    await promisify(execFile)('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkStack(images: ImageRoots, folder: string): Promise<void> {
  const secondPort = await freePort();
  const second = images.program('gateway', 'main.js');
  const gateway2: ServiceCommand = {
    name: 'gateway-2',
    command: 'env',
    args: [`HTTP_PORT=${secondPort}`, 'GRPC_PORT=0', second.command, ...second.args],
  };
  const ended = new Map<string, string>();
  const running = await startTestStack({
    services: [...images.services, gateway2],
    env: { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: String(drainSeconds) },
    say: (line) => {
      const [, name, how] = /^(\S+) (ended \(exit code \d+\)|was killed);/.exec(line) ?? [];
      if (name !== undefined && how !== undefined) ended.set(name, how);
    },
  });
  try {
    if (images.isolated) checkRights(running);
    await checkHealth(images, running);
    await checkScan(running);
    await checkTools(running.dataDir, folder);
    say('Keys, dead letters, a verification and a backup: the tools do what they should.');
    await rollUnderLoad(running, { secondPort, ended });
    for (const name of SERVICE_NAMES) await endInOrder(running, name, ended);
    say('Every service ended with exit code 0 after SIGTERM, and came back.');
  } finally {
    await running.stop();
  }
}

/** No service is root, has a capability left, or sees anything but its image. */
function checkRights({ stack }: TestStack): void {
  for (const { name, pid } of stack.processes()) {
    if (name === 'mongod' || name === 'nats-server') continue;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [uid, caps] = [/^Uid:\s+(\d+)/m.exec(status)?.[1], /^CapEff:\s+(\w+)/m.exec(status)?.[1]];
    if (Number(uid) !== imageUser || !/^0+$/.test(caps ?? '')) {
      throw new Error(`${name} runs as ${uid} with the capabilities ${caps}`);
    }
    if (existsSync(`/proc/${pid}/root/bin/sh`)) throw new Error(`${name} sees a shell`);
  }
}

/** The health check of each image, with the entry point that it has there. */
async function checkHealth(images: ImageRoots, { stack }: TestStack): Promise<void> {
  const ask = (name: string, port: number): Promise<unknown> => {
    const { command, args } = images.program(name, 'health.js');
    const env = { PATH: process.env['PATH'], INTERNAL_HTTP_PORT: String(port) };
    return promisify(execFile)(command, args, { env });
  };
  for (const { name, internalPort } of stack.processes()) {
    if (internalPort !== null && name !== 'gateway-2') await ask(name, internalPort);
  }
  const refused = await ask('gateway', await freePort()).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error('the health check passes where nothing listens');
  say('The health check of every image passes, and fails where nothing listens.');
}

/** Parsing in worker threads, schemas, the starter set, mail and pages all come from the bundles. */
async function checkScan({ client }: TestStack): Promise<void> {
  const project = await client.createProject({ name: 'Shipped' });
  const file = example('web-shop-1.0.0.cdx.json');
  const { id } = await client.upload({
    project_id: project.id,
    service_name: 'shop',
    version: '1',
    file,
  });
  const { vulnerabilities } = await waitForScan(client, id, 60_000);
  if (vulnerabilities.length === 0) throw new Error('nothing was found in the example');
  say(`An example was scanned: ${vulnerabilities.length} vulnerabilities.`);
}

/** Restarts the two gateways one after the other, several times, while clients go through the proxy. */
async function rollUnderLoad(
  { stack, client, target }: TestStack,
  { secondPort, ended }: { secondPort: number; ended: Map<string, string> },
): Promise<void> {
  const internal = (name: string) =>
    stack.processes().find((one) => one.name === name)?.internalPort ?? 0;
  const proxy = await startGatewayProxy([
    { rest: Number(new URL(stack.baseUrl).port), internal: internal('gateway') },
    { rest: secondPort, internal: internal('gateway-2') },
  ]);
  const project = await client.createProject({ name: 'Loaded' });
  const load = steadyLoad({ baseUrl: proxy.baseUrl, apiKey: target.apiKey }, project.id);
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of ['gateway', 'gateway-2']) {
        await endInOrder({ stack }, name, ended);
        const before = load.answered;
        await eventually(() => load.answered > before + 100, {
          what: 'the load goes on',
        });
      }
    }
  } finally {
    await load.stop();
  }
  const code = await proxy.stop();
  if (code !== 0) throw new Error(`the proxy ended with ${code}`);
  if (load.failures.length > 0) {
    throw new Error(
      `${load.failures.length} of ${load.answered + load.failures.length} requests failed: ${load.failures.slice(0, 5).join('; ')}`,
    );
  }
  say(
    `Two gateways were restarted ${rounds} times each under load: ${load.answered} requests, none failed.`,
  );
}

/** SIGTERM: the service ends with exit code 0 by itself, and is ready again after it. */
async function endInOrder(
  { stack }: Pick<TestStack, 'stack'>,
  name: string,
  ended: Map<string, string>,
): Promise<void> {
  ended.delete(name);
  stack.kill(name, 'SIGTERM');
  await eventually(() => ended.has(name), { within: endsWithinMs, what: `${name} ends` });
  if (ended.get(name) !== 'ended (exit code 0)') throw new Error(`${name} ${ended.get(name)}`);
  const port = stack.processes().find((one) => one.name === name)?.internalPort;
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, {
    what: `${name} is ready again`,
  });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof OperatorError ? error.message : error);
    process.exit(1);
  },
);
