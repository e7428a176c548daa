import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ApiError, problemOf } from '../../api/errors';
import { Button } from '../../components/button';
import { Dialog, DialogActions } from '../../components/dialog';
import { ErrorNote } from '../../components/error-note';
import { Field } from '../../components/field';
import { text } from '../../text/en';
import { acceptFindings, type Decision } from './accept';
import type { Finding } from './findings-queries';

interface AcceptDialogProps {
  findings: readonly Finding[];
  onClose: () => void;
  onDone: () => void;
}

/** Asks for the reason of a decision; it can be undone, so nothing is asked twice. */
export function AcceptDialog({ findings, onClose, onDone }: AcceptDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [scope, setScope] = useState<Decision['scope']>('service');
  const [until, setUntil] = useState('');
  const accepting = useMutation({
    mutationFn: () =>
      acceptFindings(
        findings,
        { reason, scope, expiresAt: until ? new Date(`${until}T23:59:59`).toISOString() : null },
        queries,
      ),
    onSuccess: onDone,
  });
  const { error } = accepting;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accepting.mutate();
  };
  const known = error instanceof ApiError && error.fields.length > 0;
  return (
    <Dialog title={text.accept.title(findings.length)} onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        <p>{text.accept.lead(findings.map(({ cve_id }) => cve_id))}</p>
        <Field
          label={text.accept.reason}
          hint={text.accept.reasonHint}
          problem={problemOf(error, 'reason')}
        >
          {(props) => (
            <textarea
              {...props}
              required
              autoFocus
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        <Field label={text.accept.scope}>
          {(props) => (
            <select
              {...props}
              value={scope}
              onChange={({ target }) =>
                setScope(target.value === 'project' ? 'project' : 'service')
              }
            >
              <option value="service">{text.accept.scopeService}</option>
              <option value="project">{text.accept.scopeProject}</option>
            </select>
          )}
        </Field>
        <Field
          label={text.accept.until}
          hint={text.accept.untilHint}
          problem={problemOf(error, 'expires_at')}
        >
          {(props) => (
            <input
              {...props}
              type="date"
              value={until}
              onChange={({ target }) => setUntil(target.value)}
            />
          )}
        </Field>
        {error && !known && <ErrorNote error={error} />}
        <DialogActions>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" disabled={accepting.isPending}>
            {text.accept.submit(findings.length)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
