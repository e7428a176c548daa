import { BenchFailure } from '../bench-failure';
import { cpuSecondsOf, residentBytesOf, writtenBytesOf } from './proc-files';

function stat(name: string): string {
  return `4711 (${name}) S 1 4711 4711 0 -1 4194560 9120 77 3 0 1234 567 8 9 20 0 11 0 5000 1234567 8900`;
}

describe('/proc/<pid>/stat', () => {
  test('gives user and system time, without that of ended children', () => {
    expect(cpuSecondsOf(stat('mongod'))).toBeCloseTo(18.01);
  });

  test('is read past a process name that holds blanks and parentheses', () => {
    expect(cpuSecondsOf(stat('node) 1 2 (x'))).toBeCloseTo(18.01);
  });

  test('that is cut short is an error, not zero seconds', () => {
    expect(() => cpuSecondsOf('4711 (mongod) S 1')).toThrow(BenchFailure);
  });
});

describe('/proc/<pid>/status', () => {
  const status = 'Name:\tnode\nVmPeak:\t  999999 kB\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n';

  test('gives resident memory now and at its peak in bytes', () => {
    expect(residentBytesOf(status)).toEqual({ rss: 104857600, peak: 209715200 });
  });

  test('of a process without memory (one that has ended) is an error', () => {
    expect(() => residentBytesOf('Name:\tnode\nState:\tZ (zombie)\n')).toThrow(BenchFailure);
  });
});

test('/proc/<pid>/io gives the bytes that went to disk', () => {
  const io = 'rchar: 5\nwchar: 70\nread_bytes: 1\nwrite_bytes: 8192\ncancelled_write_bytes: 3\n';
  expect(writtenBytesOf(io)).toBe(8192);
  expect(() => writtenBytesOf('rchar: 5\n')).toThrow(BenchFailure);
});
