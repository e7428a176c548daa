/** Maximum width of the line. */
const LONGEST = 200;
/** pino's number for `warn`. */
const WARN = 40;
const ERROR_LEVELS: ReadonlySet<unknown> = new Set(['warn', 'error', 'fatal']);

/** Shortens a log line of level warning or above to `catalog warn: …`. Undefined for any other line. */
export function errorLine(name: string, line: string): string | undefined {
  const record = parsedObject(line);
  if (record === undefined) return undefined;
  const level = errorLevel(record['level']);
  if (level === undefined) return undefined;
  const message = text(record['message']) ?? text(record['msg']) ?? '(no message)';
  const error = record['err'];
  const reason = isObject(error) ? text(error['message']) : undefined;
  const full = `${name} ${level}: ${message}${reason === undefined ? '' : ` (${reason})`}`;
  const oneLine = full.replaceAll(/\s+/g, ' ');
  return oneLine.length > LONGEST ? `${oneLine.slice(0, LONGEST - 1)}…` : oneLine;
}

function errorLevel(level: unknown): string | undefined {
  if (typeof level === 'number') {
    if (level < WARN) return undefined;
    return level < 50 ? 'warn' : 'error';
  }
  return ERROR_LEVELS.has(level) ? String(level) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parsedObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
