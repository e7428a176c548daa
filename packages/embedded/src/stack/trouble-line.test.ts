import { troubleLine } from './trouble-line';

describe('what a log line says on the terminal', () => {
  test('nothing when it is no trouble, or no record', () => {
    expect(troubleLine('catalog', '{"level":"info","message":"m"}')).toBeUndefined();
    expect(troubleLine('catalog', '{"level":30,"msg":"m"}')).toBeUndefined();
    expect(troubleLine('catalog', 'error: plain text')).toBeUndefined();
    expect(troubleLine('catalog', '{"level":"error"')).toBeUndefined();
  });

  test('service, level, message and the error behind it', () => {
    const line = '{"level":"error","message":"No answer.","err":{"message":"timed\\nout"}}';
    expect(troubleLine('scanner', line)).toBe('scanner error: No answer. (timed out)');
    expect(troubleLine('scanner', '{"level":40,"msg":"Slow."}')).toBe('scanner warn: Slow.');
  });

  test('in at most 200 characters', () => {
    const record = JSON.stringify({ level: 'fatal', message: 'x'.repeat(500) });
    expect(troubleLine('ingest', record)).toHaveLength(200);
  });
});
