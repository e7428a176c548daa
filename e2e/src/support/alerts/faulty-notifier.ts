import { subscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { writeSync } from 'node:fs';
import path from 'node:path';
import type { Request } from '@bomtrail/messaging';
import { runService, type Composition, type Kit } from '@bomtrail/service-runtime';
import type { CommandStartedEvent, CommandSucceededEvent, CommandFailedEvent } from 'mongodb';
import { repositoryRoot } from '../real-data';
import type { Fault } from './notifier-process';

/**
 * The program of a notifier that can be struck at any moment of its work: the real one as it was built,
 * with what it asks, sends and writes observed. It tells each moment on a pipe before it goes on, and
 * strikes itself with a signal where its parent has asked for that.
 *
 * It runs as a process of its own and expects `momentsPipe` to be open.
 */
const momentsPipe = 3;
/** Told when it knows what its parent has asked for. */
const armed = 'armed';
/** Checks follow one another faster than the settings allow, and another process takes over sooner. */
const checkSeconds = 0.2;
const leaseSeconds = 9;
/** Of commands to the database these are no step of a check. */
const background = new Set(['hello', 'ping', 'endSessions', 'listIndexes', 'createIndexes']);

interface Built {
  compose: (kit: Kit, settings: object, instead: { leaseSeconds: number }) => Composition;
  settings: Parameters<typeof runService>[0]['settings'];
}

function built(): Built {
  const folder = path.join(repositoryRoot, 'services', 'notifier', 'dist');
  // oxlint-disable-next-line typescript/no-require-imports -- built beside us, but no package of ours
  const load = (file: string): object => require(path.join(folder, file)) as object;
  return { ...load('compose.js'), ...load('config.js') } as Built;
}

/** Tells each moment, and strikes at the one that was asked for. */
function createMoments(): (moment: string) => void {
  let fault: Fault | null = JSON.parse(
    process.env['BOMTRAIL_TEST_FAULT'] ?? 'null',
  ) as Fault | null;
  let passed = 0;
  process.on('message', (body) => {
    ({ fault } = body as { fault: Fault | null });
    passed = 0;
    writeSync(momentsPipe, `${armed}\n`);
  });
  process.on('disconnect', () => process.exit(1));
  return (moment) => {
    writeSync(momentsPipe, `${moment}\n`);
    if (fault === null || (fault.at !== null && fault.at !== moment)) return;
    passed += 1;
    if (passed <= fault.after) return;
    const { signal } = fault;
    fault = null;
    process.kill(process.pid, signal);
  };
}

function observeRequests(request: Request, pass: (moment: string) => void): Request {
  return async (definition, body, attachment) => {
    const name = definition.subject.split('.')[1] ?? '';
    pass(`ask ${name}`);
    const answer = await request(definition, body, attachment);
    pass(`told ${name}`);
    return answer;
  };
}

/** The connections must have been opened with `monitorCommands`, which the address of the database says. */
function observeDatabase(client: Kit['database']['client'], pass: (moment: string) => void): void {
  const named = new Map<number, string>();
  client.on('commandStarted', (event: CommandStartedEvent) => {
    const { commandName, command, requestId } = event;
    if (background.has(commandName)) return;
    const collection: unknown = command[commandName];
    const of = typeof collection === 'string' ? `${commandName} ${collection}` : commandName;
    const name =
      command['autocommit'] === false && of !== commandName ? `in transaction: ${of}` : of;
    named.set(requestId, name);
    pass(name);
  });
  const after = (event: CommandSucceededEvent | CommandFailedEvent, how: string): void => {
    const name = named.get(event.requestId);
    named.delete(event.requestId);
    if (name !== undefined) pass(`${name} ${how}`);
  };
  client.on('commandSucceeded', (event) => after(event, 'done'));
  client.on('commandFailed', (event) => after(event, 'failed'));
}

function observeSending(pass: (moment: string) => void): void {
  for (const channel of ['http.client.request.start', 'undici:request:create'])
    subscribe(channel, () => pass('send'));
  for (const channel of ['http.client.response.finish', 'undici:request:headers'])
    subscribe(channel, () => pass('answered'));
}

type Found = (
  error: NodeJS.ErrnoException | null,
  found: string | dns.LookupAddress[],
  family?: number,
) => void;

/** Makes names that exist nowhere lead to addresses, which the parent has chosen. */
function fakeNames(): void {
  const hosts = JSON.parse(process.env['BOMTRAIL_TEST_HOSTS'] ?? '{}') as Record<string, string>;
  const { lookup } = dns;
  const fakeLookup = (hostname: string, options: dns.LookupOptions, callback: Found): void => {
    const address = hosts[hostname];
    if (address === undefined) return lookup(hostname, options, callback);
    const found = { address, family: address.includes(':') ? 6 : 4 };
    process.nextTick(() =>
      options.all === true ? callback(null, [found]) : callback(null, address, found.family),
    );
  };
  Object.assign(dns, { lookup: Object.assign(fakeLookup, lookup) });
}

function run(): void {
  fakeNames();
  const { compose, settings } = built();
  const pass = createMoments();
  runService({
    name: 'notifier',
    settings,
    compose: (kit, read) => {
      observeDatabase(kit.database.client, pass);
      observeSending(pass);
      const observed = { ...kit, request: observeRequests(kit.request, pass) };
      const faster = { ...read, ALERT_CHECK_INTERVAL_SECONDS: checkSeconds };
      return compose(observed, faster, { leaseSeconds });
    },
  });
}

if (require.main === module) run();
