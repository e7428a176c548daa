import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end, with its output shown; gives its exit code (128 + number after a signal).
 * Signals that reach this process are passed on; it ends when the program has ended.
 */
export async function runChild(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const onSignal = (signal) => child.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, onSignal);
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + (constants.signals[signal] ?? 0);
  } finally {
    for (const signal of PASSED_ON) process.off(signal, onSignal);
  }
}

/**
 * Runs a step whose output only matters when it fails: then it is shown and this process ends with the
 * step's exit code. Says what takes longer than a second.
 */
export async function runQuietly(what, command, args, options = {}) {
  const started = Date.now();
  const timer = setTimeout(() => console.error(`${what} …`), 1_000);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const onSignal = (signal) => child.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, onSignal);
  const [code, signal] = await once(child, 'close');
  for (const signal of PASSED_ON) process.off(signal, onSignal);
  clearTimeout(timer);
  if (code === 0) {
    const seconds = Math.round((Date.now() - started) / 1_000);
    if (seconds > 0) console.error(`${what}: done in ${seconds} s.`);
    return;
  }
  process.stderr.write(Buffer.concat(output));
  console.error(`${what} failed (${signal ?? `exit code ${code}`}); its output is above.`);
  process.exit(code ?? 1);
}
