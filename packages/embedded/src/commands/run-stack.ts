import { startStack, type Stack, type StackOptions } from '../stack/start-stack';
import { stopSignal } from '@bomtrail/terminal';

/** Starts the stack. A stop signal before it is ready exits immediately and ends all child processes. */
export async function startUnlessStopped(
  options: StackOptions,
): Promise<{ stack: Stack; stopRequested: Promise<NodeJS.Signals> }> {
  const state = { ready: false };
  const stopRequested = stopSignal(options.say);
  void stopRequested.then(() => {
    if (!state.ready) process.exit(130);
  });
  options.say('Starting …');
  const stack = await startStack(options);
  state.ready = true;
  return { stack, stopRequested };
}

/** Serves until a stop signal (returns exit code 0) or until a process fails for good (throws the reason). */
export async function serveUntilStopped(running: {
  stack: Stack;
  stopRequested: Promise<unknown>;
  say: (line: string) => void;
}): Promise<void> {
  const { stack, say } = running;
  const failure = await Promise.race([running.stopRequested.then(() => undefined), stack.failed]);
  say('Stopping …');
  await stack.stop();
  if (failure !== undefined) throw failure;
  say('Stopped.');
}
