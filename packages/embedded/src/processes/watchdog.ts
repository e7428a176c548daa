import { spawn } from 'node:child_process';

/**
 * A small shell that kills process `pid` when this process ends without having called the returned
 * function: its standard input is a pipe from here, which the system closes however this process dies.
 * So nothing is left behind by a run that is killed.
 */
export function watchOver(pid: number): () => void {
  const script = 'read -r word; [ "$word" = done ] || kill -KILL "$1"';
  const shell = spawn('/bin/sh', ['-c', script, 'watchdog', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
  return () => shell.stdin.end('done\n');
}
