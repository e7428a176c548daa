import { useSyncExternalStore } from 'react';

/** Which key is signed in. */
export interface Session {
  /** The API key; null: signed out. */
  readonly key: string | null;
  /** Why the last session ended, for the sign-in form. */
  readonly ended: 'expired' | null;
}

const storageKey = 'bomtrail.key';
const listeners = new Set<() => void>();
let session: Session = { key: sessionStorage.getItem(storageKey), ended: null };

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** The current key; read for each request. */
export function currentKey(): string | null {
  return session.key;
}

/** Keeps the key for this tab: until it is closed or signed out. Never in an address or a cookie. */
export function signIn(key: string): void {
  sessionStorage.setItem(storageKey, key);
  change({ key, ended: null });
}

export function signOut(ended: Session['ended'] = null): void {
  sessionStorage.removeItem(storageKey);
  change({ key: null, ended });
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}
