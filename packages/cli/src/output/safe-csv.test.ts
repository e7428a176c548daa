import { safeCsv } from './safe-csv';

async function safe(text: string, size: number): Promise<string> {
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  let all = '';
  for await (const piece of safeCsv(pieces())) all += piece;
  return all;
}

test.each([1, 3, 1000])(
  'commands of a CI runner are broken, however the file is cut (%i)',
  async (size) => {
    const file = 'title\r\n"a\n::error::x"\r\n::add-mask::y\r\n##[group]z,a::b\r\nlast';
    expect(await safe(file, size)).toBe(
      'title\r\n"a\n: :error::x"\r\n: :add-mask::y\r\n# #[group]z,a::b\r\nlast',
    );
  },
);

test('no cell commands the terminal', async () => {
  expect(await safe('a,\u001b[31mred\u009b2J\tb\r\n', 1000)).toBe('a, [31mred 2J\tb\r\n');
});
