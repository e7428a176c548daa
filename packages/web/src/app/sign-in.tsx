import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import type { Schemas } from '../api/client';
import { ApiError, errorOf } from '../api/errors';
import { Button } from '../components/button';
import { Field } from '../components/field';
import { ViewHeading } from '../components/parts';
import { text } from '../text/en';
import { keepPage } from './kept-page';
import { personSession, signInAddress } from './person';
import { signIn, useSession } from './session';
import styles from './shell.module.css';

/** Why the identity provider's sign-in failed, by the address that it led to. */
const failed = new URLSearchParams(location.search).get('sign_in_error');

/** Offers the sign-in of the organisation, if there is one, and asks for an API key, which is tried before it is kept. */
export function SignIn() {
  const { ended, keepsForm } = useSession();
  const queries = useQueryClient();
  const { data: person, isPending, error: unread, refetch } = useQuery(personSession());
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => keepPage(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    const rejection = await rejectionOf(key.trim());
    setBusy(false);
    setProblem(rejection);
    if (rejection !== null) return;
    queries.clear();
    signIn(key.trim());
  }

  // Somebody may be signed in already: nothing is offered and taken back.
  if (isPending) return <main className={styles.signIn} aria-busy="true" />;
  return (
    <main className={styles.signIn}>
      <form className={styles.card} onSubmit={(event) => void submit(event)}>
        <ViewHeading name={text.signIn.submit}>
          <span className={styles.mark} aria-hidden="true" />
          {text.signIn.title}
        </ViewHeading>
        <p className={styles.lead}>
          {ended === 'expired' ? text.signIn.expired : text.signIn.lead}
          {keepsForm && ` ${text.signIn.kept}`}
        </p>
        {unread && (
          <p className={styles.problem} role="status">
            {text.signIn.unread(
              unread instanceof ApiError ? unread.message : text.errors.unexpected,
            )}{' '}
            <Button onClick={() => void refetch()}>{text.errors.retry}</Button>
          </p>
        )}
        {person?.isOffered && (
          <>
            {failed !== null && (
              <p className={styles.problem} role="alert">
                {text.signIn.failed[failed as keyof typeof text.signIn.failed] ??
                  text.signIn.failed.refused}
              </p>
            )}
            {/* Where a form is kept this tab stays as it is: it looks again when it has the focus. */}
            <a
              className={styles.provider}
              href={signInAddress()}
              target={keepsForm ? '_blank' : undefined}
            >
              {text.signIn.provider}
            </a>
          </>
        )}
        <Field label={text.signIn.key}>
          {(props) => (
            <input
              {...props}
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              autoFocus={!person?.isOffered}
              value={key}
              onChange={({ target }) => setKey(target.value)}
            />
          )}
        </Field>
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <Button kind="primary" type="submit" unavailable={busy}>
          {busy ? text.signIn.busy : text.signIn.submit}
        </Button>
        <p className={styles.note}>{text.signIn.note}</p>
      </form>
    </main>
  );
}

/** Why this key cannot be used; null: it can. A key without `read` is valid, but of no use here. */
async function rejectionOf(key: string): Promise<string | null> {
  try {
    const response = await fetch('/api/v1/api-keys/self', {
      headers: { Authorization: `Bearer ${key}` },
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.status === 401) return text.signIn.wrong;
    const { status, ok, headers } = response;
    if (!ok) return errorOf({ status, body, header: (name) => headers.get(name) }).message;
    return (body as Schemas['OwnApiKey']).scopes.includes('read') ? null : text.signIn.cannotRead;
  } catch (error) {
    // A sign that no header may have is in no key.
    const isUnsendable = error instanceof TypeError && /header|string/i.test(error.message);
    return isUnsendable ? text.signIn.wrong : text.errors.offline;
  }
}
