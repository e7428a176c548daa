import { repositoryRoot } from '@bomtrail/embedded';
import { linesOf, run } from '../tools/run';

/**
 * Runs buildah, which builds images without an engine or a daemon; gives what it writes, trimmed. Its storage copies
 * every layer, because that works on any file system and in any container; its steps run in a chroot.
 *
 * @throws Error with buildah's reason
 */
export async function buildah(command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
  const options = { cwd: repositoryRoot(), env, timeout: longestMs };
  const ended = await run('buildah', [command, ...args], options);
  if (ended.code === 0) return ended.stdout.trim();
  const [reason = 'no reason given'] = linesOf(ended.stderr).reverse();
  throw new Error(`buildah ${command}: ${reason}`);
}

/** A build of all images from nothing takes some five minutes on two cores. */
const longestMs = 30 * 60_000;
