import { createServer } from 'node:http';
import { listen } from '@bomtrail/http-edge';

const thisMachine = '127.0.0.1';

/** What a program of this package has opened. */
export interface OpenTransport {
  /** Takes nothing new, and ends what is in hand. */
  close(): Promise<void>;
}

/**
 * Runs a program that stands before the services: opens it, answers 200 to `GET /readyz` on
 * `INTERNAL_HTTP_PORT` of this machine from then on, and ends with exit code 0 at SIGTERM or SIGINT.
 * What cannot be opened is one log line and exit code 1.
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

/** A log line as the services write them. */
export function logLine(service: string, level: 'warn' | 'fatal', message: string): void {
  const line = { level, timestamp: new Date().toISOString(), service, message };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
