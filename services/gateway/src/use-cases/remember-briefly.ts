/**
 * Asks at most once in `maxAgeMs`, and once at a time; the answer in between is the last one. An
 * error is passed on and not remembered.
 */
export function rememberBriefly<Value>(
  ask: () => Promise<Value>,
  options: { maxAgeMs: number; now?: () => number },
): () => Promise<Value> {
  const now = options.now ?? Date.now;
  let last: { askedAt: number; value: Promise<Value> } | null = null;
  return async () => {
    if (last && now() - last.askedAt < options.maxAgeMs) return last.value;
    const asked = { askedAt: now(), value: ask() };
    last = asked;
    try {
      return await asked.value;
    } catch (error) {
      if (last === asked) last = null;
      throw error;
    }
  };
}
