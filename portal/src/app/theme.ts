/** How the portal looks: as the system does, or as a person chose. */
export type Theme = 'system' | 'light' | 'dark';

const KEPT_AS = 'kontor.theme';

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Shows the theme; the style sheet does the rest. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(KEPT_AS, theme);
  showTheme(theme);
}
