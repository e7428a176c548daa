/** What the user chose; `system` follows the operating system, also when it changes. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const storageKey = 'bomtrail.theme';
const darkSystem = '(prefers-color-scheme: dark)';

/** The theme to show for a choice. */
export function themeOf(choice: ThemeChoice, systemIsDark: boolean): 'light' | 'dark' {
  if (choice !== 'system') return choice;
  return systemIsDark ? 'dark' : 'light';
}

/** A choice as it was stored; anything else is `system`. */
export function parseThemeChoice(stored: string | null): ThemeChoice {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function storedThemeChoice(): ThemeChoice {
  return parseThemeChoice(localStorage.getItem(storageKey));
}

/** Shows the chosen theme in this tab, and stores it for the next visit. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  showTheme();
}

/** Shows the stored theme. */
export function showTheme(): void {
  const theme = themeOf(storedThemeChoice(), matchMedia(darkSystem).matches);
  document.documentElement.dataset['theme'] = theme;
}

/** Shows the stored theme, and again whenever the system changes. */
export function followTheme(): void {
  showTheme();
  matchMedia(darkSystem).addEventListener('change', showTheme);
}
