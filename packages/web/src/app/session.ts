import { useSyncExternalStore } from 'react';

/** Who is signed in: a key, or a person, whose session is a cookie that scripts cannot read. */
export type Identity = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'person' };

export interface Session {
  /** Null: signed out. */
  readonly identity: Identity | null;
  /** Why the last session ended, for the sign-in form. */
  readonly ended: 'expired' | null;
  /** Whether a form was open at its end: it is kept, out of sight, until somebody signs in. */
  readonly keepsForm: boolean;
}

const storageKey = 'bomtrail.key';
const listeners = new Set<() => void>();
let session: Session = { identity: storedKey(), ended: null, keepsForm: false };

function storedKey(): Identity | null {
  const key = sessionStorage.getItem(storageKey);
  return key === null ? null : { kind: 'key', key };
}

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** The current key; read for each request. Null for a person, whose cookie the browser sends. */
export function currentKey(): string | null {
  return session.identity?.kind === 'key' ? session.identity.key : null;
}

export function isSignedIn(): boolean {
  return session.identity !== null;
}

/** Keeps the key for this tab: until it is closed or signed out. Never in an address or a cookie. */
export function signIn(key: string): void {
  sessionStorage.setItem(storageKey, key);
  change({ identity: { kind: 'key', key }, ended: null, keepsForm: false });
}

/** The browser has the cookie of a person's session. */
export function enterAsPerson(): void {
  change({ identity: { kind: 'person' }, ended: null, keepsForm: false });
}

export function signOut(ended: Session['ended'] = null): void {
  sessionStorage.removeItem(storageKey);
  change({ identity: null, ended, keepsForm: ended === 'expired' && isFormOpen() });
}

function isFormOpen(): boolean {
  return document.querySelector('[role=dialog] form') !== null;
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
