import { spawn } from 'node:child_process';

/**
 * Starts a shell that kills process `pid` if this process ends without calling the returned function. The shell waits
 * on a pipe from this process, which the system closes however this process ends.
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
