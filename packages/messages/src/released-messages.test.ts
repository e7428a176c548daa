import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as messages from './index';
import type { ConsumerDefinition, MessageDefinition } from './index';

const folder = path.join(__dirname, '..', 'fixtures');

interface Fixture {
  subject: string;
  key: string;
  payload: unknown;
}

function isMessage(value: unknown): value is MessageDefinition<unknown> {
  return typeof value === 'object' && value !== null && 'sweptBy' in value;
}

function isConsumer(value: unknown): value is ConsumerDefinition<unknown> {
  return typeof value === 'object' && value !== null && 'durable' in value;
}

const exported: unknown[] = Object.values(messages);
const defined = exported.filter(isMessage);
const consumers = exported.filter(isConsumer);

describe('released messages', () => {
  test('each message has a fixture, and each fixture a message', () => {
    const names = readdirSync(folder).map((file) => path.basename(file, '.json'));
    expect(defined.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test.each(defined.map((message) => [message.name, message] as const))(
    '%s still parses, and keeps its subject and natural key',
    (name, message) => {
      const text = readFileSync(path.join(folder, `${name}.json`), 'utf8');
      const { subject, key, payload } = JSON.parse(text) as Fixture;
      expect(message.payload.parse(payload)).toEqual(payload);
      expect(message.subjectOf(payload)).toBe(subject);
      expect(message.keyOf(payload)).toBe(key);
      const later = { ...(payload as object), a_field_of_a_later_release: true };
      expect(message.payload.safeParse(later).success).toBe(true);
    },
  );

  test('each has a stream for its subject, and a consumer', () => {
    for (const message of defined) {
      const stream = messages.streams.find(({ name }) => name === message.stream);
      const taken = stream?.subjects.some((subject) =>
        message.name.startsWith(subject.replace(/>$/, '')),
      );
      expect({ name: message.name, taken }).toEqual({ name: message.name, taken: true });
      expect(consumers.some((consumer) => consumer.message === message)).toBe(true);
    }
  });

  test('consumer names are unique, and no two consumers of the work queue overlap', () => {
    const names = consumers.map(({ durable }) => durable);
    expect(new Set(names).size).toBe(names.length);
    const work = consumers.filter(({ message }) => message.stream === 'WORK');
    expect(new Set(work.map(({ filterSubject }) => filterSubject)).size).toBe(work.length);
  });
});
