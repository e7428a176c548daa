import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as messages from './index';
import { deployedFiles } from './deployed-files';
import { permissionsOf } from './nats-permissions';
import { deadLetterService, requestDefinitions, rights, type Rights } from './rights';
import { serviceNames } from './define';

const root = path.join(__dirname, '..', '..', '..');

/** The production sources of a service. */
function sourcesOf(service: string): string[] {
  const below = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return /^(testing|measure)$/.test(entry.name) ? [] : below(file);
      return /(?<!\.test)\.ts$/.test(entry.name) ? [readFileSync(file, 'utf8')] : [];
    });
  return below(path.join(root, 'services', service, 'src'));
}

/** Names that the sources import from this package, without types. */
function usedIn(sources: readonly string[]): string[] {
  const named = sources
    .flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@bomtrail\/messages'/g)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
  const spelled = sources.flatMap((text) => [...text.matchAll(/\bmessages\.(\w+)/g)]);
  return [...new Set([...named, ...spelled.map(([, name = '']) => name)])];
}

/** First arguments of these functions that are objects of this package. */
function givenTo(functions: RegExp, sources: readonly string[]): object[] {
  const calls = new RegExp(`\\b(?:${functions.source})\\(\\s*(?:messages\\.)?(\\w+)`, 'g');
  const names = sources.flatMap((text) => [...text.matchAll(calls)].map(([, name = '']) => name));
  return thingsOf([...new Set(names)]);
}

/** Objects of this package with these names. */
function thingsOf(names: readonly string[]): object[] {
  return names
    .map((name) => (messages as Record<string, unknown>)[name])
    .filter((found): found is object => typeof found === 'object' && found !== null);
}

function subjectsOf(list: readonly object[]): string[] {
  return list.map((one) => (one as { subject: string }).subject).sort();
}

describe.each(serviceNames)('%s has exactly the rights that its sources use', (name) => {
  const sources = sourcesOf(name);
  const own: Rights = rights[name];

  test('for requests', () => {
    const used = thingsOf(usedIn(sources)).filter((one) =>
      requestDefinitions.some((definition) => definition === one),
    );
    const requested = subjectsOf(used).filter((subject) => !subject.startsWith(`${name}.`));
    // Created per service, beside this in `rights`.
    const made = /\.(ping|delete-project-data)\.v1$/;
    expect(subjectsOf(own.requests).filter((subject) => !made.test(subject))).toEqual(requested);
  });

  test('for messages and broadcasts', () => {
    const given = givenTo(/publish|publishResult|publishOrThrow/, sources).filter(
      (one) => 'stream' in one,
    );
    expect([...own.publishes].map((one) => one.name).sort()).toEqual(
      given.map((one) => (one as unknown as { name: string }).name).sort(),
    );
    expect(subjectsOf(own.broadcasts)).toEqual(subjectsOf(givenTo(/broadcast/, sources)));
    expect(subjectsOf(own.listensTo)).toEqual(subjectsOf(givenTo(/onBroadcast/, sources)));
  });

  test('for consumers', () => {
    expect(new Set(own.consumes)).toEqual(new Set(givenTo(/consumes/, sources)));
    for (const { durable } of own.consumes) expect(durable).toMatch(new RegExp(`^${name}-`));
    const consumers = thingsOf(usedIn(sources)).filter((one) => 'durable' in one);
    const others = consumers.filter((one) => !own.consumes.some((consumer) => consumer === one));
    expect(new Set(own.watches)).toEqual(new Set(others));
  });
});

test('only the handling service may respond, to the inboxes of its callers', () => {
  const notifier = permissionsOf('notifier');
  expect(notifier.subscribe).toEqual(expect.arrayContaining(['_INBOX_notifier.>']));
  expect(notifier.publish).toContain('_INBOX_gateway.>');
  expect(notifier.publish).not.toContain('_INBOX_scanner.>');
  expect(notifier.publish).not.toContain('scan.completed.v1');
  expect(notifier.publish.filter((subject) => subject.startsWith('ingest.'))).toEqual([]);
  expect(notifier.subscribe.filter((subject) => /^(scan|sbom)\./.test(subject))).toEqual([]);
});

test('one service alone reads, deletes and replays dead letters, which its sources do', () => {
  const rightsOnDead = ['$JS.API.STREAM.MSG.GET.DEAD', '$JS.API.STREAM.MSG.DELETE.DEAD'];
  for (const name of serviceNames) {
    const { publish } = permissionsOf(name);
    const isIts = name === deadLetterService;
    expect(publish.filter((one) => one.includes('.MSG.') && one.endsWith('.DEAD'))).toEqual(
      isIts ? rightsOnDead : [],
    );
    expect(sourcesOf(name).some((text) => /\bkit\.deadLetters\b/.test(text))).toBe(isIts);
  }
  const consumed = serviceNames.flatMap((name) => rights[name].consumes);
  const replayed = consumed.map(({ message }) => message.name);
  expect(permissionsOf(deadLetterService).publish).toEqual(expect.arrayContaining(replayed));
});

test('no service may delete or purge a stream', () => {
  for (const name of serviceNames) {
    const subjects = permissionsOf(name).publish.join('\n');
    expect(subjects).not.toMatch(/STREAM\.DELETE|PURGE\.(WORK|EVENTS|DEAD)|^>$/m);
  }
});

test.each(Object.entries(deployedFiles()))('%s is up to date', (file, text) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toBe(text);
});
