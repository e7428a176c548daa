const barWidth = 30;
const redrawMs = 100;

/** The output stream of the progress bar. */
export interface ProgressOutput {
  isTTY?: boolean | undefined;
  write: (text: string) => unknown;
}

export interface Progress {
  /** Reports the bytes sent so far. */
  at: (sent: number, total: number) => void;
  /** Removes the bar before other output. */
  clear: () => void;
}

/** Creates a progress bar for uploads on a terminal; prints nothing elsewhere. */
export function uploadProgress(output: ProgressOutput, now: () => number = Date.now): Progress {
  if (!output.isTTY) return { at: () => {}, clear: () => {} };
  let drawnAt = -Infinity;
  let drawn = false;
  return {
    at(sent, total) {
      if (now() - drawnAt < redrawMs && sent < total) return;
      drawnAt = now();
      drawn = true;
      output.write(`\r\u001b[2K${bar(sent, total)}`);
    },
    clear() {
      if (drawn) output.write('\r\u001b[2K');
      drawn = false;
    },
  };
}

function bar(sent: number, total: number): string {
  const share = total === 0 ? 1 : sent / total;
  const full = Math.round(share * barWidth);
  const percent = String(Math.floor(share * 100)).padStart(3);
  const rest = ' '.repeat(barWidth - full);
  return `[${'='.repeat(full)}${rest}] ${percent} % of ${kib(total)} KiB${share === 1 ? ', waiting for the response' : ''}`;
}

function kib(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
