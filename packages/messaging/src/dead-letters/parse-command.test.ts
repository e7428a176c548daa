import { parseDeadLettersCommand as parse, UsageError } from './parse-command';

test.each([
  ['list', { kind: 'list', consumer: null, json: false }],
  ['list --consumer a-b --json', { kind: 'list', consumer: 'a-b', json: true }],
  ['show 3', { kind: 'show', id: 3 }],
  ['replay 3 4 3', { kind: 'replay', which: { ids: [3, 4] } }],
  ['drop --all', { kind: 'drop', which: { all: true, consumer: null } }],
  ['replay --all --consumer a', { kind: 'replay', which: { all: true, consumer: 'a' } }],
])('%s is understood', (typed, command) => {
  expect(parse(typed.split(' '))).toEqual(command);
});

test.each([
  '',
  'read 3',
  'list 3',
  'list --all',
  'list --consumer a.>',
  'show',
  'show 3 4',
  'show --all',
  'show 0',
  'show 1e3',
  'replay',
  'replay 3 --all',
  'drop --consumer a',
  'drop 3 --json',
  'drop --everything',
])('“%s” is refused', (typed) => {
  expect(() => parse(typed.split(' ').filter(Boolean))).toThrow(UsageError);
});
