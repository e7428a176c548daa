import { Argument, type Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The command that prints a completion script for a shell; it needs neither settings nor a server. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and flags')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      `
bash: source <(bomtrail completion bash)
zsh:  source <(bomtrail completion zsh)
fish: bomtrail completion fish > ~/.config/fish/completions/bomtrail.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(completionScript(program, shell));
    });
}

interface Level {
  /** Names of the commands down to here, e.g. `keys list`. */
  path: string;
  commands: readonly string[];
  flags: readonly { long: string; text: string }[];
  description: string;
}

/** Completes commands at each level, then flags; values are completed as files. */
export function completionScript(program: Command, shell: Shell): string {
  const levels = levelsOf(program, '');
  if (shell === 'fish') return fishScript(levels);
  return shell === 'bash'
    ? bashScript(levels)
    : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(levels)}`;
}

function levelsOf(command: Command, path: string): Level[] {
  const flags = command.options.flatMap(({ long, description }) =>
    long ? [{ long, text: description }] : [],
  );
  const own = {
    path,
    commands: command.commands.map((one) => one.name()),
    flags: [...flags, { long: '--help', text: 'print the flags' }],
    description: command.description(),
  };
  return [own, ...command.commands.flatMap((one) => levelsOf(one, `${path} ${one.name()}`.trim()))];
}

function bashScript(levels: readonly Level[]): string {
  const cases = levels.map(({ path, commands, flags }) => {
    const words = [...commands, ...flags.map(({ long }) => long)].join(' ');
    return `    '${path}') words='${words}' ;;`;
  });
  const paths = levels.map(({ path }) => `'${path}'`).filter((path) => path !== "''");
  return `_bomtrail() {
  local current=\${COMP_WORDS[COMP_CWORD]} level='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${level:+$level }$word" in
      ${paths.join(' | ')}) level="\${level:+$level }$word" ;;
    esac
  done
  case "$level" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _bomtrail bomtrail
`;
}

function fishScript(levels: readonly Level[]): string {
  const descriptions = new Map(levels.map(({ path, description }) => [path, description]));
  const lines = levels.flatMap(({ path, commands, flags }) => {
    const seen = path.split(' ').filter((word) => word !== '');
    const when = seen.map((word) => `__fish_seen_subcommand_from ${word}`);
    const none = `not __fish_seen_subcommand_from ${commands.join(' ')}`;
    const condition = [...when, ...(commands.length > 0 ? [none] : [])].join('; and ');
    const at = `complete -c bomtrail -n ${quoted(condition)}`;
    return [
      ...commands.map((name) => {
        const text = descriptions.get(`${path} ${name}`.trim()) ?? '';
        return `${at} -f -a ${name} -d ${quoted(text)}`;
      }),
      ...flags.map(({ long, text }) => `${at} -l ${long.slice(2)} -d ${quoted(text)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;
}
