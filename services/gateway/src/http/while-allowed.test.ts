import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError } from '@bomtrail/messages';
import { whileAllowed } from './while-allowed';

const reply = (content: () => Readable) => ({ kind: 'stream' as const, headers: {}, content });

test('a stream is what it was while its caller may read it', async () => {
  let checks = 0;
  const given = reply(() => Readable.from(['a', 'ü', Buffer.from('c')]));
  const checked = whileAllowed(given, async () => void checks++, 0);
  expect(await text(checked.content())).toBe('aüc');
  expect(checks).toBe(3);
});

test('a caller who lost a right gets nothing more, and what is behind the stream is closed', async () => {
  const behind = Readable.from(['a', 'b', 'c']);
  let checks = 0;
  const check = async () => {
    checks += 1;
    if (checks > 1) throw new Error('lost');
  };
  const parts: string[] = [];
  const read = async () => {
    for await (const part of whileAllowed(
      reply(() => behind),
      check,
      0,
    ).content())
      parts.push(String(part));
  };
  await expect(read()).rejects.toThrow('lost');
  expect(parts.join('')).not.toContain('b');
  expect(behind.destroyed).toBe(true);
});

test('a document in one part is checked as it is sent', async () => {
  const document = Buffer.alloc(1_000_000, 'ü');
  let checks = 0;
  const check = async () => {
    checks += 1;
    if (checks > 3) throw new Error('lost');
  };
  let sent = 0;
  const read = async () => {
    const { content } = whileAllowed(
      reply(() => Readable.from([document])),
      check,
      0,
    );
    for await (const part of content()) sent += (part as Buffer).length;
  };
  await expect(read()).rejects.toThrow('lost');
  expect(sent).toBeLessThan(document.length / 2);
  const whole = whileAllowed(
    reply(() => Readable.from([document])),
    async () => {},
    0,
  );
  expect(await text(whole.content())).toBe(document.toString());
});

test('nothing is sent while it is not known whether its caller may read it, and all of it afterwards', async () => {
  let sent = '';
  const seen: string[] = [];
  const check = async () => {
    seen.push(sent);
    if (seen.length === 2) throw new AppError('service_unavailable');
  };
  const given = reply(() => Readable.from(['a', 'b', 'c']));
  for await (const part of whileAllowed(given, check, 0).content()) sent += String(part);
  expect(sent).toBe('abc');
  expect(seen[2]).not.toContain('b');
});

test('a short stream is not checked between its parts', async () => {
  const checked = whileAllowed(
    reply(() => Readable.from(['a', 'b'])),
    async () => {
      throw new Error('checked');
    },
  );
  expect(await text(checked.content())).toBe('ab');
});
