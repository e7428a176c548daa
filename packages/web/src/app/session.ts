import { useSyncExternalStore } from 'react';

/** What the page knows about the key that is signed in. */
export interface Session {
  /** The API key; null: signed out. */
  readonly key: string | null;
  /** Why the last session ended, for the sign-in form. */
  readonly ended: 'expired' | null;
  /** Scopes whose lack a 403 has shown. */
  readonly lacks: readonly Right[];
}

export type Right = 'upload' | 'write' | 'admin';

const storageKey = 'bomtrail.key';
const listeners = new Set<() => void>();
let session: Session = { key: sessionStorage.getItem(storageKey), ended: null, lacks: [] };

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
  change({ key, ended: null, lacks: [] });
}

export function signOut(ended: Session['ended'] = null): void {
  sessionStorage.removeItem(storageKey);
  change({ key: null, ended, lacks: [] });
}

/** Notes that the key has no such right: what needs it is no longer offered. */
export function noteLackOf(right: Right): void {
  if (!session.lacks.includes(right)) change({ ...session, lacks: [...session.lacks, right] });
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

/** Whether the key may do this, as far as is known: true until a 403 says otherwise. */
export function useMay(right: Right): boolean {
  return !useSession().lacks.includes(right);
}
