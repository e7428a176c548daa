import build from 'pino-pretty';

/** Stream that formats log lines for a terminal. */
export function pretty(): NodeJS.WritableStream {
  return build({
    messageKey: 'message',
    timestampKey: 'timestamp',
    ignore: 'request_id,trace_id,span_id',
    colorize: process.stdout.isTTY,
    sync: true,
  });
}
