import type { InputHTMLAttributes } from 'react';
import { Field } from './field';
import { withChosen } from './with-chosen';

interface Labelled {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'>;

interface TextFieldProps extends Labelled, InputProps {
  /** Omitted: the input keeps its own text (`defaultValue`). */
  value?: string;
  onChange?: (value: string) => void;
}

/** A line of text, a number or a date with its label. */
export function TextField({ label, hint, problem, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(props) => (
        <input {...rest} {...props} onChange={({ target }) => onChange?.(target.value)} />
      )}
    </Field>
  );
}

interface SelectFieldProps<T extends string> extends Labelled {
  value: T;
  /** Value and what it is called, in order. */
  choices: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

/** One of a few values with its label. */
export function SelectField<T extends string>(given: SelectFieldProps<T>) {
  const { label, hint, problem, value, choices, onChange } = given;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(props) => (
        <select {...props} value={value} onChange={({ target }) => onChange(target.value as T)}>
          {withChosen(choices, value).map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
