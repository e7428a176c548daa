import { readArguments, usage } from './arguments';
import { idleLatency } from './scenarios/idle-latency';
import { backlogNewSets } from './scenarios/backlog-new-sets';
import { chooseSize } from './scenarios/choose-size';
import { scenarios } from './scenarios/registry';

const known = scenarios.map(({ name }) => name);

describe('the command line', () => {
  test('without arguments means all scenarios in their own size, three runs', () => {
    expect(readArguments([], known)).toMatchObject({
      scenarios: undefined,
      uploads: undefined,
      clients: undefined,
      runs: 3,
      smoke: false,
    });
  });

  test('names scenarios and sizes', () => {
    const args = ['--scenario', 'idle-latency,nightly-fleet', '--uploads', '50', '--clients', '8'];
    expect(readArguments([...args, '--runs', '5', '--json', 'out.json'], known)).toMatchObject({
      scenarios: ['idle-latency', 'nightly-fleet'],
      uploads: 50,
      clients: 8,
      runs: 5,
      json: 'out.json',
    });
  });

  test('a smoke run is small, unless more is asked for', () => {
    expect(readArguments(['--smoke'], known)).toMatchObject({ runs: 1, uploads: 6, clients: 4 });
    expect(readArguments(['--smoke', '--uploads', '9'], known)).toMatchObject({ uploads: 9 });
  });

  test.each([
    [['--uploads', '2001'], '1 to 2000'],
    [['--clients', '0'], '1 to 256'],
    [['--runs', '1.5'], '1 to 20'],
    [['--scenario', 'backlog'], 'there are idle-latency'],
    [['--scenrio', 'x'], 'scenrio'],
    [['datasets'], 'no such program'],
    [['--compare', 'a.json'], 'two files'],
  ])('%j is refused with a reason', (args, reason) => {
    expect(() => readArguments(args, known)).toThrow(reason);
  });

  test('names two reports to compare', () => {
    expect(readArguments(['--compare', 'a.json', 'b.json'], known).compare).toEqual([
      'a.json',
      'b.json',
    ]);
  });

  test('the help names every scenario', () => {
    for (const name of known) expect(usage(scenarios)).toContain(name);
  });
});

describe('the size of a run', () => {
  test('is the one of the scenario where nothing else is asked for', () => {
    const asked = { uploads: undefined, clients: undefined };
    expect(chooseSize(backlogNewSets, asked)).toEqual({ uploads: 300, clients: 32 });
  });

  test('has one client where the scenario is about one upload at a time', () => {
    const asked = { uploads: 10, clients: 64 };
    expect(chooseSize(idleLatency, asked)).toEqual({ uploads: 10, clients: 1 });
    expect(chooseSize(backlogNewSets, asked)).toEqual({ uploads: 10, clients: 64 });
  });
});
