const listeners = new Set<() => void>();
let shown = '';
let isFirst = true;

/** Says the name of a view that has replaced another one, to screen readers; that of the first one they read anyway. */
export function announceView(name: string): void {
  if (!isFirst) shown = name;
  isFirst = false;
  for (const listener of listeners) listener();
}

export function subscribeToViews(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The name of the view that was shown last; empty before another one than the first was. */
export function announcedView(): string {
  return shown;
}
