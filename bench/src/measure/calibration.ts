import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { spreadOf } from './statistics';

/**
 * Current speed of this machine, to recognise figures of other or busy machines. MB are 10^6 bytes; each figure is the median of five rounds of one core.
 */
export interface Calibration {
  sha256MbPerSecond: number;
  jsonParseMbPerSecond: number;
  /** 4 KiB appended and synced to the disk that the databases write to. */
  fsyncsPerSecond: number;
}

const rounds = 5;
const roundMs = 100;

/** Takes about two seconds, blocks the event loop, and leaves nothing in `folder`. */
export function calibrate(folder: string): Calibration {
  const bytes = Buffer.alloc(8_000_000, 'bomtrail');
  const document = calibrationDocument();
  return {
    sha256MbPerSecond:
      perSecond(() => createHash('sha256').update(bytes).digest()) * (bytes.length / 1e6),
    jsonParseMbPerSecond: perSecond(() => JSON.parse(document)) * (document.length / 1e6),
    fsyncsPerSecond: fsyncRate(folder),
  };
}

/** Always the same ASCII text of 1.1 MB, of objects as SBOMs hold them; not tied to any format. */
export function calibrationDocument(): string {
  const entries = Array.from({ length: 4000 }, (_, i) => ({
    ref: `pkg:golang/example.com/calibration/module-${i}@v1.${i % 50}.${i % 9}`,
    name: `example.com/calibration/module-${i}`,
    version: `v1.${i % 50}.${i % 9}`,
    hashes: [{ alg: 'SHA-256', content: String(i).padStart(64, 'a') }],
    required: i % 3 === 0,
    weight: i / 8,
  }));
  return JSON.stringify({ entries });
}

function fsyncRate(folder: string): number {
  const file = join(folder, 'calibration.tmp');
  const handle = openSync(file, 'w');
  const block = Buffer.alloc(4096, 1);
  try {
    return perSecond(() => {
      writeSync(handle, block);
      fsyncSync(handle);
    });
  } finally {
    closeSync(handle);
    rmSync(file);
  }
}

/** How often a second `work` can be done: the median of the rounds. */
function perSecond(work: () => void): number {
  work();
  const rates = Array.from({ length: rounds }, () => {
    const begin = performance.now();
    let times = 0;
    while (performance.now() - begin < roundMs) {
      work();
      times += 1;
    }
    return (times * 1000) / (performance.now() - begin);
  });
  return spreadOf(rates).median;
}
