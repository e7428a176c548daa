import { join } from 'node:path';

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}
interface Scripts {
  totalsOf(results: (Record<string, number> | undefined)[]): Totals;
  totalsLine(totals: Totals): string;
  exitCodeOf(totals: Totals): number;
  isSamePackages(listed: Record<string, object>, present: Record<string, object>): boolean;
}

/** The scripts run before anything is built, so they are plain JavaScript outside of the packages. */
function scripts(): Scripts {
  const folder = join(process.cwd(), 'scripts', 'lib');
  const load = (name: string): object => jest.requireActual(join(folder, name));
  return { ...load('test-totals.cjs'), ...load('same-packages.cjs') } as Scripts;
}

function result(counts: Record<string, number>): Record<string, number> {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  return { ...none, numRuntimeErrorTestSuites: 0, ...counts };
}

describe('the totals of a test run', () => {
  const { totalsOf, totalsLine, exitCodeOf } = scripts();

  test('are summed over the suites', () => {
    const totals = totalsOf([
      result({ numPassedTests: 7, numFailedTests: 1 }),
      result({ numPassedTests: 3, numPendingTests: 2, numTodoTests: 1 }),
    ]);
    expect(totalsLine(totals)).toBe('10 passed, 1 failed, 3 skipped');
    expect(exitCodeOf(totals)).toBe(1);
  });

  test('count a file that could not run, and a suite without a result, as failed', () => {
    const totals = totalsOf([
      result({ numPassedTests: 7, numRuntimeErrorTestSuites: 1 }),
      undefined,
    ]);
    expect(totalsLine(totals)).toBe('7 passed, 2 failed');
    expect(exitCodeOf(totals)).toBe(1);
  });

  test('are good only when something passed', () => {
    expect(exitCodeOf(totalsOf([result({})]))).toBe(1);
    expect(exitCodeOf(totalsOf([result({ numPassedTests: 1 })]))).toBe(0);
  });
});

describe('packages are installed as the lock file lists them', () => {
  const { isSamePackages } = scripts();
  const listed = {
    '': { version: '1.0.1' },
    'packages/osv': { version: '1.0.1' },
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/b': { version: '2.0.0', optional: true },
  };

  test('also where one for another system is missing', () => {
    expect(isSamePackages(listed, { 'node_modules/a': { version: '1.0.0', integrity: 'x' } })).toBe(
      true,
    );
  });

  test.each([
    ['one is missing', {}],
    ['one has another version', { 'node_modules/a': { version: '1.0.1', integrity: 'x' } }],
    ['one has other content', { 'node_modules/a': { version: '1.0.0', integrity: 'y' } }],
    [
      'one is no longer listed',
      {
        'node_modules/a': { version: '1.0.0', integrity: 'x' },
        'node_modules/c': { version: '1.0.0' },
      },
    ],
  ])('not when %s', (_, present) => {
    expect(isSamePackages(listed, present)).toBe(false);
  });
});
