import { errorLine } from './error-line';

describe('what a log line says on the terminal', () => {
  test('nothing when it is no trouble, or no record', () => {
    expect(errorLine('catalog', '{"level":"info","message":"m"}')).toBeUndefined();
    expect(errorLine('catalog', '{"level":30,"msg":"m"}')).toBeUndefined();
    expect(errorLine('catalog', 'error: plain text')).toBeUndefined();
    expect(errorLine('catalog', '{"level":"error"')).toBeUndefined();
  });

  test('service, level, message and the error behind it', () => {
    const line = '{"level":"error","message":"No answer.","err":{"message":"timed\\nout"}}';
    expect(errorLine('scanner', line)).toBe('scanner error: No answer. (timed out)');
    expect(errorLine('scanner', '{"level":40,"msg":"Slow."}')).toBe('scanner warn: Slow.');
  });

  test('in at most 200 characters', () => {
    const record = JSON.stringify({ level: 'fatal', message: 'x'.repeat(500) });
    expect(errorLine('ingest', record)).toHaveLength(200);
  });
});
