/**
 * Caches the result of `load` for `maxAgeMs` and shares concurrent calls. Errors are not cached.
 */
export function cacheBriefly<Value>(
  load: () => Promise<Value>,
  options: { maxAgeMs: number; now?: () => number },
): () => Promise<Value> {
  const now = options.now ?? Date.now;
  let last: { requestedAt: number; value: Promise<Value> } | null = null;
  return async () => {
    if (last && now() - last.requestedAt < options.maxAgeMs) return last.value;
    const requested = { requestedAt: now(), value: load() };
    last = requested;
    try {
      return await requested.value;
    } catch (error) {
      if (last === requested) last = null;
      throw error;
    }
  };
}
