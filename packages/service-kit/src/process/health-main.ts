/**
 * The health check of the images: exit code 0 when the process of this container is ready, by its
 * own internal port, else 1 with the reason.
 */
const patienceMs = 4_000;

/** Where the internal port is heard from within: an address that means all of them is no address. */
function internalHost(host: string | undefined): string {
  if (host === undefined || ['', '0.0.0.0', '::'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const at = `${internalHost(env['INTERNAL_HTTP_HOST'])}:${env['INTERNAL_HTTP_PORT'] || 9090}`;
  const answer = await fetch(`http://${at}/readyz`, { signal: AbortSignal.timeout(patienceMs) });
  if (!answer.ok) throw new Error(await answer.text());
}

main(process.env).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
