import { withChosen } from '../../components/with-chosen';
import styles from './findings.module.css';

interface InlineSelectProps<T extends string> {
  /** For screen readers; the choices speak for themselves. */
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

/** A choice in the filter bar, without a visible label. */
export function InlineSelect<T extends string>(props: InlineSelectProps<T>) {
  const { label, value, choices, onChange } = props;
  return (
    <label className={styles.select}>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value as T)}>
        {withChosen(choices, value).map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
