import { pino, type Logger } from 'pino';
import { pretty } from './pretty';
import { currentContext } from './context';

export type { Logger };

/**
 * Creates the logger of a process: JSON or text lines on standard output, with the service and, in a context, the
 * request id, trace id and span id.
 */
export function createLogger(options: {
  service: string;
  level: string;
  format: 'json' | 'text';
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: 'message',
    serializers: { err: shortError },
    mixin: () => {
      const context = currentContext();
      if (!context) return {};
      const [, trace_id, span_id] = context.traceparent.split('-');
      return { request_id: context.requestId, trace_id, ...(context.span ? { span_id } : {}) };
    },
  };
  return options.format === 'text' ? pino(settings, pretty()) : pino(settings);
}

/** Reduces an error to its essentials: drivers attach whole server responses. */
function shortError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
  };
}
