import type { PortalWords } from '../../../locales/portal-en-US.ts';
import type { PortalNames } from '../../../locales/portal-names-en-US.ts';

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

/** What the portal says in one language: its own texts, and its names for what the API names. */
export interface Catalog {
  readonly words: PortalWords;
  readonly names: PortalNames;
}

const together = async (
  words: Promise<Pick<Catalog, 'words'>>,
  names: Promise<Pick<Catalog, 'names'>>,
): Promise<Catalog> => ({ ...(await words), ...(await names) });

/** Two files a language: a browser loads those that it needs. What is missing in one is a type error. */
const CATALOGS: Readonly<Record<Locale, () => Promise<Catalog>>> = {
  'nb-NO': () => together(import('../../../locales/portal-nb-NO.ts'), import('../../../locales/portal-names-nb-NO.ts')),
  'sv-SE': () => together(import('../../../locales/portal-sv-SE.ts'), import('../../../locales/portal-names-sv-SE.ts')),
  'da-DK': () => together(import('../../../locales/portal-da-DK.ts'), import('../../../locales/portal-names-da-DK.ts')),
  'fi-FI': () => together(import('../../../locales/portal-fi-FI.ts'), import('../../../locales/portal-names-fi-FI.ts')),
  'en-US': () => together(import('../../../locales/portal-en-US.ts'), import('../../../locales/portal-names-en-US.ts')),
};

export const loadCatalog = (locale: Locale): Promise<Catalog> => CATALOGS[locale]();

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
