import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Schemas } from '../api/client';
import { errorOf } from '../api/errors';
import { Button } from '../components/button';
import { Field } from '../components/field';
import { text } from '../text/en';
import { signIn, useSession } from './session';
import styles from './shell.module.css';

/** Asks for an API key, and tries it before it is kept. */
export function SignIn() {
  const { ended } = useSession();
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

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

  return (
    <main className={styles.signIn}>
      <form className={styles.card} onSubmit={(event) => void submit(event)}>
        <h1>
          <span className={styles.mark} aria-hidden="true" />
          {text.signIn.title}
        </h1>
        <p className={styles.lead}>
          {ended === 'expired' ? text.signIn.expired : text.signIn.lead}
        </p>
        <Field label={text.signIn.key}>
          {(props) => (
            <input
              {...props}
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              autoFocus
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
        <Button kind="primary" type="submit" disabled={busy}>
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
    if (!response.ok) return errorOf(response.status, body, null).message;
    return (body as Schemas['OwnApiKey']).scopes.includes('read') ? null : text.signIn.cannotRead;
  } catch (error) {
    // A sign that no header may have is in no key.
    const isUnsendable = error instanceof TypeError && /header|string/i.test(error.message);
    return isUnsendable ? text.signIn.wrong : text.errors.offline;
  }
}
