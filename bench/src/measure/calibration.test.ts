import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calibrate, calibrationDocument } from './calibration';

test('the calibration document is the same for ever: figures of different commits are compared by it', () => {
  const text = calibrationDocument();
  expect(Buffer.byteLength(text)).toBe(text.length);
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    'f1155275cd33c74811d4f237577e3ae86ee804a66bbce97d7cd273db8f2182a2',
  );
});

test('calibrating gives three rates and leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-calibration-'));
  try {
    const { sha256MbPerSecond, jsonParseMbPerSecond, fsyncsPerSecond } = calibrate(folder);
    expect(sha256MbPerSecond).toBeGreaterThan(1);
    expect(jsonParseMbPerSecond).toBeGreaterThan(1);
    expect(fsyncsPerSecond).toBeGreaterThan(1);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
