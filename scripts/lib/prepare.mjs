import { isInstalled } from './installed.mjs';
import { runQuietly } from './run-child.mjs';

/** Installs what package-lock.json lists, unless it is there. */
export async function install(root) {
  if (isInstalled(root)) return;
  const args = ['ci', '--no-audit', '--no-fund'];
  await runQuietly('Installing packages (npm ci)', 'npm', args, { cwd: root });
  isInstalled(root);
}

/** Builds every package and service that changed since the last build. */
export async function build(root) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
  const args = ['run', 'build', '--', '--output-logs=errors-only'];
  await runQuietly('Building', 'npm', args, { cwd: root, env });
}
