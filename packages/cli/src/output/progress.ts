const barWidth = 30;
const redrawMs = 100;

/** Who watches, as far as the progress cares. */
export interface Watcher {
  isTTY?: boolean | undefined;
  write: (text: string) => unknown;
}

export interface Progress {
  /** The bytes sent so far, of how many. */
  at: (sent: number, total: number) => void;
  /** Takes the bar away, so that a line can follow. */
  clear: () => void;
}

/**
 * How far an upload is: a bar on a terminal, and nothing elsewhere, where a log would hold each of its
 * states (the lines before and after the upload say enough there).
 */
export function uploadProgress(watcher: Watcher, now: () => number = Date.now): Progress {
  if (!watcher.isTTY) return { at: () => {}, clear: () => {} };
  let drawnAt = -Infinity;
  let drawn = false;
  return {
    at(sent, total) {
      if (now() - drawnAt < redrawMs && sent < total) return;
      drawnAt = now();
      drawn = true;
      watcher.write(`\r\u001b[2K${bar(sent, total)}`);
    },
    clear() {
      if (drawn) watcher.write('\r\u001b[2K');
      drawn = false;
    },
  };
}

function bar(sent: number, total: number): string {
  const share = total === 0 ? 1 : sent / total;
  const full = Math.round(share * barWidth);
  const percent = String(Math.floor(share * 100)).padStart(3);
  const rest = ' '.repeat(barWidth - full);
  return `[${'='.repeat(full)}${rest}] ${percent} % of ${kib(total)} KiB${share === 1 ? ', waiting for the answer' : ''}`;
}

function kib(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
