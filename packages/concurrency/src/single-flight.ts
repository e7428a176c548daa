/** Runs `work` at most once at a time; concurrent calls share its result. */
export function singleFlight<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | null = null;
  return () => (pending ??= work().finally(() => (pending = null)));
}
