/**
 * Work of which one is under way at a time: whoever asks meanwhile is given its outcome, so what is slow
 * does not pile up where it is asked for again and again.
 */
export function singleFlight<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | null = null;
  return () => (underWay ??= work().finally(() => (underWay = null)));
}
