import { useEffect, useState, useSyncExternalStore } from 'react';
import { text } from '../text/en';
import { Button } from './button';
import styles from './controls.module.css';
import { useShortcuts } from './shortcuts';

interface Toast {
  id: number;
  message: string;
  /** Takes back what the message says. */
  undo?: (() => void) | undefined;
}

/** Long enough to read, and to decide to undo. */
const shownMs = 12_000;

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says what was done; with `undo` it can be taken back while the message is shown. */
export function notify(message: string, undo?: () => void): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, message, undo }]);
}

/** Messages in the corner; `u` takes back what the latest says. While one has the focus it stays. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  useShortcuts({
    u: () => {
      const latest = shown.findLast(({ undo }) => undo !== undefined);
      if (latest) takeBack(latest);
    },
  });
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function dismiss(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}

function takeBack({ id, undo }: Toast): void {
  dismiss(id);
  undo?.();
}

function ToastLine({ toast }: { toast: Toast }) {
  const { id, message, undo } = toast;
  const [isInUse, setIsInUse] = useState(false);
  useEffect(() => {
    if (isInUse) return undefined;
    const timer = setTimeout(() => dismiss(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isInUse]);
  return (
    <div className={styles.toast} onFocus={() => setIsInUse(true)} onBlur={() => setIsInUse(false)}>
      <span>{message}</span>
      {undo && (
        <Button aria-keyshortcuts="u" onClick={() => takeBack(toast)}>
          {text.common.undo}
        </Button>
      )}
      <Button onClick={() => dismiss(id)} aria-label={text.common.dismiss}>
        ✕
      </Button>
    </div>
  );
}
