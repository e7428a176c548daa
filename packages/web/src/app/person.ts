import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, ownPageHeader } from '../api/client';
import { ApiError } from '../api/errors';
import { notify } from '../components/toasts';
import { text } from '../text/en';
import { enterAsPerson, signOut } from './session';

/**
 * Whether people sign in here, and whether somebody already is: the browser may have the cookie of a session. Fails if
 * the server does not say either.
 */
export function personSession() {
  return queryOptions({
    queryKey: ['person-session'],
    queryFn: async ({ signal, client }): Promise<{ isOffered: boolean }> => {
      const { sign_in } = await bodyOf(api.GET('/version', { signal }));
      if (!sign_in) return { isOffered: false };
      const person = await bodyOf(api.GET('/api/v1/me', { signal })).catch((error: unknown) => {
        if (error instanceof ApiError && [401, 403].includes(error.status)) return null;
        throw error;
      });
      if (person) {
        // What the one before saw and may do: a key that was signed out in this tab.
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'person-session' });
        enterAsPerson();
      }
      return { isOffered: true };
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** Where a sign-in begins; it ends at the view that is open now. */
export function signInAddress(): string {
  const here = new URL(location.href);
  // The failure of this sign-in is no part of the view.
  here.searchParams.delete('sign_in_error');
  return `/auth/sign-in?return_to=${encodeURIComponent(here.pathname + here.search)}`;
}

/**
 * Ends a person's session here and at the identity provider. If that fails the person may still be signed in, and is
 * told so: whoever uses the browser next would be them.
 */
export async function endPersonSession(): Promise<void> {
  const request = { method: 'POST', headers: ownPageHeader };
  const response = await fetch('/auth/sign-out', request).catch(() => null);
  if (!response?.ok) return notify(text.errors.notSignedOut);
  const answer = (await response.json().catch(() => null)) as {
    end_session_url?: string | null;
  } | null;
  signOut();
  if (answer?.end_session_url) location.assign(answer.end_session_url);
}
