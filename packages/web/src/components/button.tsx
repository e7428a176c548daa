import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import styles from './controls.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Does nothing for now. Unlike a disabled button it keeps the focus. */
  unavailable?: boolean;
}

/** A native button in one of four looks. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', type = 'button', unavailable = false, className, ...rest } = props;
  const classes = [styles.button, styles[kind], className].filter(Boolean).join(' ');
  const blocked = {
    'aria-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
  return <button type={type} className={classes} {...rest} {...(unavailable ? blocked : {})} />;
}
