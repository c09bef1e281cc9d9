import type { PortalWords } from '../../../locales/portal-en-US.ts';

/** The languages of the portal, each with the name that its speakers give it. */
export const LOCALES = {
  'nb-NO': 'Norsk',
  'sv-SE': 'Svenska',
  'da-DK': 'Dansk',
  'fi-FI': 'Suomi',
  'en-US': 'English',
} as const;

export type Locale = keyof typeof LOCALES;

const STORED_AS = 'kontor.locale';

/** One file a language: a browser loads the one that it needs. A text that is missing in one is a type error. */
const CATALOGS: Readonly<Record<Locale, () => Promise<PortalWords>>> = {
  'nb-NO': async () => (await import('../../../locales/portal-nb-NO.ts')).words,
  'sv-SE': async () => (await import('../../../locales/portal-sv-SE.ts')).words,
  'da-DK': async () => (await import('../../../locales/portal-da-DK.ts')).words,
  'fi-FI': async () => (await import('../../../locales/portal-fi-FI.ts')).words,
  'en-US': async () => (await import('../../../locales/portal-en-US.ts')).words,
};

export const loadWords = (locale: Locale): Promise<PortalWords> => CATALOGS[locale]();

/** The language that was chosen here before, else the first of the browser's that the portal has, else English. */
export function preferredLocale(): Locale {
  const stored = localStorage.getItem(STORED_AS);
  if (stored !== null && isLocale(stored)) return stored;
  for (const wanted of navigator.languages) {
    const language = wanted.slice(0, 2).replace('no', 'nb').replace('nn', 'nb');
    const match = (Object.keys(LOCALES) as Locale[]).find((locale) => locale.startsWith(language));
    if (match !== undefined) return match;
  }
  return 'en-US';
}

export const keepLocale = (locale: Locale): void => localStorage.setItem(STORED_AS, locale);

const isLocale = (text: string): text is Locale => Object.hasOwn(LOCALES, text);
