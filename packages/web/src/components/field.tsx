import { useId, type ReactNode } from 'react';
import styles from './controls.module.css';

interface FieldProps {
  label: string;
  /** What to write, below the control. */
  hint?: string | undefined;
  /** What is wrong with it; replaces the hint. */
  problem?: string | undefined;
  children: (props: {
    id: string;
    className: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

/** A label, its control, and what is to be said about it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: styles.input ?? '',
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': problem !== undefined,
      })}
      {note && (
        <span id={`${id}-note`} className={problem ? styles.wrong : styles.hint}>
          {note}
        </span>
      )}
    </div>
  );
}
