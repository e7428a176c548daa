import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors';
import { Field } from '../../components/field';
import { SelectField, TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
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
  return (
    <FormDialog
      title={text.accept.title(findings.length)}
      submit={text.accept.submit(findings.length)}
      sending={accepting}
      onClose={onClose}
    >
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
      <SelectField
        label={text.accept.scope}
        value={scope}
        choices={[
          ['service' as const, text.accept.scopeService],
          ['project' as const, text.accept.scopeProject],
        ]}
        onChange={setScope}
      />
      <TextField
        label={text.accept.until}
        hint={text.accept.untilHint}
        problem={problemOf(error, 'expires_at')}
        type="date"
        value={until}
        onChange={setUntil}
      />
    </FormDialog>
  );
}
