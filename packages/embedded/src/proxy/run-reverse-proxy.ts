import { createServer } from 'node:http';
import { listen } from '@bomtrail/http-edge';

const thisMachine = '127.0.0.1';

/** A running program. */
export interface OpenTransport {
  /** Stops accepting, and finishes work in progress. */
  close(): Promise<void>;
}

/**
 * Runs a program in front of the services: opens it, serves `GET /readyz` on `INTERNAL_HTTP_PORT`, and exits with 0
 * at SIGTERM or SIGINT. If it cannot be opened, logs the error and exits with 1.
 */
export function runReverseProxy(
  name: string,
  open: (env: NodeJS.ProcessEnv) => Promise<OpenTransport>,
): void {
  const ready = { yes: false };
  const internal = createServer((_request, response) => {
    response.writeHead(ready.yes ? 200 : 503).end();
  });
  const opened = Promise.all([
    open(process.env),
    listen(internal, { host: thisMachine, port: Number(process.env['INTERNAL_HTTP_PORT'] ?? 0) }),
  ]);
  const stop = (): void => {
    ready.yes = false;
    void opened
      .then(([transport]) => transport.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  opened.then(
    () => {
      ready.yes = true;
    },
    (error: Error) => {
      logLine(name, 'fatal', error.message);
      process.exit(1);
    },
  );
}

/** Formats a log line like those of the services. */
export function logLine(service: string, level: 'warn' | 'fatal', message: string): void {
  const line = { level, timestamp: new Date().toISOString(), service, message };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
