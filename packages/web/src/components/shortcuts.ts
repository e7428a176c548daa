import { useEffect, useRef } from 'react';

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

/** The name of a key as shortcuts write it: `j`, `?`, `Enter`, `ctrl+k`. */
export function shortcutName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): string {
  const held = event.ctrlKey || event.metaKey;
  return held ? `ctrl+${event.key.toLowerCase()}` : event.key;
}

/** Listens to keys on the whole page, except while text is written or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isWriting(event) || hasDialog()) return;
      const act = current.current[shortcutName(event)];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function hasDialog(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

function isWriting({ target, key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey) return false;
  if (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) {
    return !(target instanceof HTMLInputElement && target.type === 'checkbox');
  }
  // Enter on a link or button is theirs.
  return key === 'Enter' && ['A', 'BUTTON', 'SUMMARY'].includes(target.tagName);
}
