import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as messages from './index';
import { deployedFiles } from './deployed-files';
import { permissionsOf } from './nats-permissions';
import { questions, rights, serviceNames, type Rights } from './rights';

const root = path.join(__dirname, '..', '..', '..');

/** The sources of a service that run in it, without those for tests and measurements. */
function sourcesOf(service: string): string[] {
  const below = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return /^(testing|measure)$/.test(entry.name) ? [] : below(file);
      return /(?<!\.test)\.ts$/.test(entry.name) ? [readFileSync(file, 'utf8')] : [];
    });
  return below(path.join(root, 'services', service, 'src'));
}

/** What the sources take from this package, by name, without types. */
function usedIn(sources: readonly string[]): string[] {
  const named = sources
    .flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@bomtrail\/messages'/g)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
  const spelled = sources.flatMap((text) => [...text.matchAll(/\bmessages\.(\w+)/g)]);
  return [...new Set([...named, ...spelled.map(([, name = '']) => name)])];
}

/** The first arguments of these functions, as far as they are things of this package. */
function givenTo(functions: RegExp, sources: readonly string[]): object[] {
  const calls = new RegExp(`\\b(?:${functions.source})\\(\\s*(?:messages\\.)?(\\w+)`, 'g');
  const names = sources.flatMap((text) => [...text.matchAll(calls)].map(([, name = '']) => name));
  return thingsOf([...new Set(names)]);
}

/** What bears these names in this package, as far as it is an object. */
function thingsOf(names: readonly string[]): object[] {
  return names
    .map((name) => (messages as Record<string, unknown>)[name])
    .filter((found): found is object => typeof found === 'object' && found !== null);
}

function subjectsOf(list: readonly object[]): string[] {
  return list.map((one) => (one as { subject: string }).subject).sort();
}

describe.each(serviceNames)(
  '%s has the rights that its sources use, no less and no more',
  (name) => {
    const sources = sourcesOf(name);
    const own: Rights = rights[name];

    test('of questions', () => {
      const used = thingsOf(usedIn(sources)).filter((one) =>
        questions.some((question) => question === one),
      );
      const asked = subjectsOf(used).filter((subject) => !subject.startsWith(`${name}.`));
      // Made for one service each; who makes them stands beside this in `rights`.
      const made = /\.(ping|delete-project-data)\.v1$/;
      expect(subjectsOf(own.asks).filter((subject) => !made.test(subject))).toEqual(asked);
    });

    test('of messages and notices', () => {
      const given = givenTo(/publish|publishResult|publishOrThrow/, sources).filter(
        (one) => 'stream' in one,
      );
      expect([...own.publishes].map((one) => one.name).sort()).toEqual(
        given.map((one) => (one as unknown as { name: string }).name).sort(),
      );
      expect(subjectsOf(own.tells)).toEqual(subjectsOf(givenTo(/broadcast/, sources)));
      expect(subjectsOf(own.onBroadcast)).toEqual(subjectsOf(givenTo(/onBroadcast/, sources)));
    });

    test('of queues', () => {
      expect(new Set(own.consumes)).toEqual(new Set(givenTo(/consumes/, sources)));
      for (const { durable } of own.consumes) expect(durable).toMatch(new RegExp(`^${name}-`));
      const looked = thingsOf(usedIn(sources)).filter((one) => 'durable' in one);
      const others = looked.filter((one) => !own.consumes.some((consumer) => consumer === one));
      expect(new Set(own.watches)).toEqual(new Set(others));
    });
  },
);

test('only who is asked may answer, into the inboxes of those who ask', () => {
  const notifier = permissionsOf('notifier');
  expect(notifier.subscribe).toEqual(expect.arrayContaining(['_INBOX_notifier.>']));
  expect(notifier.publish).toContain('_INBOX_gateway.>');
  expect(notifier.publish).not.toContain('_INBOX_scanner.>');
  expect(notifier.publish).not.toContain('scan.completed.v1');
  expect(notifier.publish.filter((subject) => subject.startsWith('ingest.'))).toEqual([]);
  expect(notifier.subscribe.filter((subject) => /^(scan|sbom)\./.test(subject))).toEqual([]);
});

test('no service may take a stream away', () => {
  for (const name of serviceNames) {
    const subjects = permissionsOf(name).publish.join('\n');
    expect(subjects).not.toMatch(/STREAM\.DELETE|PURGE\.(WORK|EVENTS|DEAD)|^>$/m);
  }
});

test.each(Object.entries(deployedFiles()))('%s is what is generated', (file, text) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toBe(text);
});
