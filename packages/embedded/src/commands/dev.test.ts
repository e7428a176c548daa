import { OperatorError } from '@bomtrail/terminal';
import { readDevArguments, watched } from './dev';

const catalog = { name: 'catalog', command: 'node', args: ['main.js'] };

test('without arguments every service is watched and none is inspected', () => {
  const given = readDevArguments([]);
  expect(watched(catalog, given).args).toEqual(
    expect.arrayContaining(['--watch', '--enable-source-maps', 'main.js']),
  );
  expect(watched(catalog, given).args.join(' ')).not.toMatch('--inspect');
});

test('named services get inspector ports of their own', () => {
  const given = readDevArguments(['scanner', 'catalog', '--inspect']);
  expect(watched(catalog, given).args).toContain('--inspect=127.0.0.1:9230');
  expect(watched({ ...catalog, name: 'scanner' }, given).args).toContain(
    '--inspect=127.0.0.1:9229',
  );
});

test.each([[['billing']], [['--watch']], [['catalog']], [['--inspect']]])(
  '%j is refused with the usage',
  (args) => {
    expect(() => readDevArguments(args)).toThrow(OperatorError);
    expect(() => readDevArguments(args)).toThrow('Usage: npm run dev');
  },
);
