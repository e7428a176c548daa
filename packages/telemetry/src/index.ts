export { currentContext, withContext, type WorkContext } from './log/context';
export { createLogger, type Logger } from './log/logger';
export { seldom } from './log/seldom';
export { createSeldomWarning } from './log/warn-seldom';
export { currentTraceparent, inNewContext, inSpan, resumed } from './traces/in-span';
export { inSharedSpan } from './traces/shared-span';
export { type Span, type SpanStart, type Tracer } from './traces/span';
export { startTracing } from './traces/start-tracing';
export { telemetrySettings } from './telemetry-settings';
