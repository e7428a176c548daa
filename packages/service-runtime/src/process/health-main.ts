/**
 * Health check of the images: exits with 0 if `/readyz` on the internal port of this container responds with 200,
 * else with 1 and the reason.
 */
const timeoutMs = 4_000;

/** Host of the internal port as seen from inside; wildcard addresses become the loopback address. */
function internalHost(host: string | undefined): string {
  if (host === undefined || ['', '0.0.0.0', '::'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const at = `${internalHost(env['INTERNAL_HTTP_HOST'])}:${env['INTERNAL_HTTP_PORT'] || 9090}`;
  const response = await fetch(`http://${at}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(await response.text());
}

main(process.env).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
