import type { ButtonHTMLAttributes } from 'react';
import styles from './controls.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
}

/** A native button in one of four looks. */
export function Button({ kind = 'plain', type = 'button', className, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[kind], className].filter(Boolean).join(' ');
  return <button type={type} className={classes} {...rest} />;
}
