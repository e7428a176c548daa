import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors';
import { Field } from '../../components/field';
import { SelectField, TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { text } from '../../text/en';
import { acceptFindings, type Decision } from './accept';
import {
  decisionKinds,
  justificationChoices,
  type DecisionKind,
  type Justification,
} from './decision-kinds';
import type { Decidable } from './decidable';

interface AcceptDialogProps {
  of: Decidable;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for the reason of a decision; it can be undone, so nothing is asked twice. */
export function AcceptDialog({ of, onClose, onDone }: AcceptDialogProps) {
  const { findings } = of;
  const leftOut = text.accept.leftOut(of);
  const withoutService = findings.filter(({ service_id }) => service_id === null).length;
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [scope, setScope] = useState<Decision['scope']>('service');
  const [until, setUntil] = useState('');
  const [kind, setKind] = useState<DecisionKind>('risk_accepted');
  const [justification, setJustification] = useState<Justification | ''>('');
  const [ticket, setTicket] = useState('');
  const [done, setDone] = useState(0);
  const accepting = useMutation({
    mutationFn: () => {
      setDone(0);
      const decision = {
        kind,
        justification: justification || null,
        ticketUrl: ticket.trim() || null,
        reason,
        scope,
        expiresAt: until ? new Date(`${until}T23:59:59`).toISOString() : null,
      };
      return acceptFindings(findings, decision, { queries, onProgress: setDone });
    },
    onSuccess: onDone,
  });
  const { error } = accepting;
  return (
    <FormDialog
      title={text.accept.title(findings.length)}
      submit={text.accept.submit[kind](findings.length)}
      sending={accepting}
      onClose={onClose}
    >
      <p>{text.accept.lead([...new Set(findings.map(({ cve_id }) => cve_id))])}</p>
      {leftOut && <p role="note">{leftOut}</p>}
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
        label={text.accept.kind}
        hint={text.accept.kindHints[kind]}
        value={kind}
        choices={decisionKinds.map((one) => [one, text.accept.kinds[one]] as const)}
        onChange={setKind}
      />
      {kind === 'not_affected' && (
        <SelectField
          label={text.accept.justification}
          value={justification}
          choices={justificationChoices}
          onChange={setJustification}
        />
      )}
      <SelectField
        label={text.accept.scope}
        hint={
          scope === 'service' && withoutService > 0
            ? text.accept.withoutService(withoutService, findings.length)
            : undefined
        }
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
      <TextField
        label={text.accept.ticket}
        hint={text.accept.ticketHint}
        problem={problemOf(error, 'ticket_url')}
        value={ticket}
        onChange={setTicket}
      />
      {accepting.isPending && findings.length > 1 && (
        <p>{text.accept.progress(done, findings.length)}</p>
      )}
    </FormDialog>
  );
}
