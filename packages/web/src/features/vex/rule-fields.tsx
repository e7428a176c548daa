import { problemOf } from '../../api/errors';
import { Field } from '../../components/field';
import { SelectField, TextField } from '../../components/fields';
import { text } from '../../text/en';
import { decisionKinds, justificationChoices } from '../findings/decision-kinds';
import type { RuleContent } from './rule-content';

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
