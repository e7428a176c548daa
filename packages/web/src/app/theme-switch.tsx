import { useState } from 'react';
import { text } from '../text/en';
import styles from './shell.module.css';
import { chooseTheme, storedThemeChoice, type ThemeChoice } from './theme';

const next: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

/** One button: as the system, light, dark. */
export function ThemeSwitch() {
  const [choice, setChoice] = useState(storedThemeChoice);
  const change = () => {
    chooseTheme(next[choice]);
    setChoice(next[choice]);
  };
  return (
    <button type="button" className={styles.tool} onClick={change}>
      <span className="visually-hidden">{text.theme.label} </span>
      {text.theme[choice]}
    </button>
  );
}
