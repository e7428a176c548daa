import { readArguments } from './arguments';
import { programs } from './programs';
import { HelpShown } from './read-options';
import { idleLatency } from './scenarios/idle-latency';
import { backlogNewSets } from './scenarios/backlog-new-sets';
import { chooseSize } from './scenarios/choose-size';
import { scenarios } from './scenarios/registry';

describe('the command line', () => {
  test('without arguments means all scenarios in their own size, three runs', () => {
    expect(readArguments([], scenarios)).toEqual({ runs: 3, smoke: false });
  });

  test('names scenarios and sizes', () => {
    const args = ['--scenario', 'idle-latency,nightly-fleet', '--uploads', '50', '--clients', '8'];
    expect(readArguments([...args, '--runs', '5', '--json', 'out.json'], scenarios)).toMatchObject({
      scenario: ['idle-latency', 'nightly-fleet'],
      uploads: 50,
      clients: 8,
      runs: 5,
      json: 'out.json',
    });
  });

  test('a smoke run is small, unless more is asked for', () => {
    expect(readArguments(['--smoke'], scenarios)).toMatchObject({
      runs: 1,
      uploads: 6,
      clients: 4,
    });
    expect(readArguments(['--smoke', '--uploads', '9'], scenarios)).toMatchObject({ uploads: 9 });
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
    expect(() => readArguments(args, scenarios)).toThrow(reason);
  });

  test('names two reports to compare', () => {
    expect(readArguments(['--compare', 'a.json', 'b.json'], scenarios).compare).toEqual([
      'a.json',
      'b.json',
    ]);
  });

  test('the help names every scenario', () => {
    const said: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    expect(() => readArguments(['--help'], scenarios)).toThrow(HelpShown);
    write.mockRestore();
    for (const { name } of scenarios) expect(said.join('')).toContain(name);
  });
});

describe('the command line of the hostile inputs', () => {
  const { read } = programs.hostile;

  test('without arguments means every input and a thousand mutants by a random seed', () => {
    expect(read([])).toEqual({
      seed: expect.any(Number) as number,
      documents: 1000,
      strict: false,
    });
  });

  test('can name everything', () => {
    const args = ['--seed', '7', '--documents', '5', '--only', 'nul,fuzz-3', '--json', 'f'];
    expect(read([...args, '--strict'])).toEqual({
      seed: 7,
      documents: 5,
      only: ['nul', 'fuzz-3'],
      json: 'f',
      strict: true,
    });
  });

  test.each(['--seed=x', '--documents=-1', '--unheard-of'])('%s is refused', (arg) => {
    expect(() => read([arg])).toThrow(/seed|documents|unheard/);
  });
});

test('several databases of the lists are named by their sizes', () => {
  expect(programs.lists.read(['--sizes', '2000,1000']).sizes).toEqual([2000, 1000]);
  expect(() => programs.lists.read(['--sizes', '2000,1'])).toThrow('1000 to 20000000');
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
