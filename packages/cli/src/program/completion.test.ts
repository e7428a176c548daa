import { execFileSync } from 'node:child_process';
import { buildProgram } from '../program';
import { completionScript } from './completion';

const program = buildProgram({
  version: '1',
  folder: '/',
  input: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: null }) }) },
  context: () => {
    throw new Error('No command runs here.');
  },
  ended: () => {},
});

/** What bash offers after these words. */
function offered(...words: string[]): string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bomtrail; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', script, 'bash', 'bomtrail', ...words]);
  return out.toString().trim().split('\n');
}

test('bash completes commands at each level, then their flags', () => {
  expect(offered('up')).toEqual(['upload']);
  expect(offered('keys', '')).toEqual(['list', 'create', 'revoke', '--help']);
  expect(offered('upload', 'bom.json', '--fail-on')).toEqual([
    '--fail-on',
    '--fail-on-kev',
    '--fail-on-license',
  ]);
  expect(offered('keys', 'list', '--out')).toEqual(['--output']);
  expect(offered('upload', 'nothing-like-it')).toEqual(['']);
});

test('zsh uses the same functions, fish gets every command and flag with its description', () => {
  expect(completionScript(program, 'zsh')).toContain('bashcompinit\n_bomtrail()');
  const fish = completionScript(program, 'fish');
  expect(fish).toContain(
    "complete -c bomtrail -n 'not __fish_seen_subcommand_from upload check status diff",
  );
  expect(fish).toMatch(
    /-n '__fish_seen_subcommand_from keys; and __fish_seen_subcommand_from list' -l output/,
  );
  expect(fish).not.toMatch(/\n(?!complete )./);
});
