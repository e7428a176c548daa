import { readFile } from 'node:fs/promises';

/** The JSON objects of a log file, in order; lines that are no JSON object are left out. */
export async function readJsonLines(logFile: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(logFile, 'utf8');
  return text.split('\n').flatMap((line) => {
    const value = parsed(line);
    return isObject(value) ? [value] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
