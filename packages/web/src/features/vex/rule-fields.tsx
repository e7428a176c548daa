import { problemOf } from '../../api/errors';
import { Field } from '../../components/field';
import { SelectField, TextField } from '../../components/fields';
import { text } from '../../text/en';
import {
  decisionKinds,
  justificationChoices,
  type DecisionKind,
  type Justification,
} from '../findings/decision-kinds';

/** What a rule decides, as the form has it. */
export interface RuleContent {
  name: string;
  reason: string;
  kind: DecisionKind;
  justification: Justification | '';
  /** A day; empty: until it is ended. */
  until: string;
}

export const newContent: RuleContent = {
  name: '',
  reason: '',
  kind: 'not_affected',
  justification: '',
  until: '',
};

/** The same as the API takes it. */
export function contentBody({ name, reason, kind, justification, until }: RuleContent) {
  return {
    name,
    reason,
    decision: kind,
    justification: kind === 'not_affected' ? justification || null : null,
    expires_at: until ? new Date(`${until}T23:59:59`).toISOString() : null,
  };
}

interface RuleFieldsProps {
  value: RuleContent;
  error: unknown;
  onChange: (value: RuleContent) => void;
}

/** The fields of a rule beside its filter. */
export function RuleFields({ value, error, onChange }: RuleFieldsProps) {
  const change = (next: Partial<RuleContent>) => onChange({ ...value, ...next });
  return (
    <>
      <TextField
        label={text.rules.name}
        problem={problemOf(error, 'name')}
        required
        autoFocus
        maxLength={200}
        value={value.name}
        onChange={(name) => change({ name })}
      />
      <Field label={text.accept.reason} problem={problemOf(error, 'reason')}>
        {(props) => (
          <textarea
            {...props}
            required
            value={value.reason}
            onChange={({ target }) => change({ reason: target.value })}
          />
        )}
      </Field>
      <SelectField
        label={text.accept.kind}
        hint={text.accept.kindHints[value.kind]}
        value={value.kind}
        choices={decisionKinds.map((one) => [one, text.accept.kinds[one]] as const)}
        onChange={(kind) => change({ kind })}
      />
      {value.kind === 'not_affected' && (
        <SelectField
          label={text.accept.justification}
          value={value.justification}
          choices={justificationChoices}
          onChange={(justification) => change({ justification })}
        />
      )}
      <TextField
        label={text.accept.until}
        hint={text.rules.untilHint}
        problem={problemOf(error, 'expires_at')}
        type="date"
        value={value.until}
        onChange={(until) => change({ until })}
      />
    </>
  );
}
