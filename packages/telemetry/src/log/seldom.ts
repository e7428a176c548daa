/** Drops a line if the same line was passed within the last `everyMs` milliseconds. */
export function seldom(everyMs: number, now: () => number = Date.now): (line: string) => boolean {
  const last = new Map<string, number>();
  return (line) => {
    const at = now();
    for (const [old, shown] of last) if (at - shown >= everyMs) last.delete(old);
    if (last.has(line)) return false;
    last.set(line, at);
    return true;
  };
}
