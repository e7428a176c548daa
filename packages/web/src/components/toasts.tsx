import { useEffect, useSyncExternalStore } from 'react';
import { text } from '../text/en';
import { Button } from './button';
import styles from './controls.module.css';

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

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { toast: Toast }) {
  const { id, message, undo } = toast;
  const close = () => change(toasts.filter((one) => one.id !== id));
  useEffect(() => {
    const timer = setTimeout(() => change(toasts.filter((one) => one.id !== id)), shownMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className={styles.toast}>
      <span>{message}</span>
      {undo && (
        <Button
          onClick={() => {
            close();
            undo();
          }}
        >
          {text.common.undo}
        </Button>
      )}
      <Button onClick={close} aria-label={text.common.dismiss}>
        ✕
      </Button>
    </div>
  );
}
