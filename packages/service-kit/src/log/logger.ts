import { pino, type Logger } from 'pino';
import { pretty } from './pretty';
import { currentContext } from './context';

export type { Logger };

/**
 * The one logger of a process: JSON lines (or text for a person) on standard output. Every line
 * carries the service and, within a request or a message, its request id and trace id; where traces
 * are on, its span id too.
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

/** What a reader needs of an error; drivers hang whole server answers on theirs. */
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
