import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { PortalWords } from '../../../locales/portal-en-US.ts';
import type { PortalNames } from '../../../locales/portal-names-en-US.ts';
import { type Formats, formatsOf } from './formats.ts';
import { type Catalog, keepLocale, type Locale, loadCatalog, preferredLocale } from './locales.ts';

export type WordKey = keyof PortalWords;

/**
 * A text in the reader's language. `{name}` stands for a value. Where the text has two forms, for one and for more,
 * `count` chooses.
 */
export type Translate = (key: WordKey, values?: Readonly<Record<string, string | number>>) => string;

/** A name of the API in the reader's language; one that the portal does not know stays as it is. */
export type NameOf = (group: keyof PortalNames, raw: string) => string;

interface Words extends Formats {
  readonly t: Translate;
  readonly named: NameOf;
  readonly locale: Locale;
  readonly setLocale: (locale: Locale) => void;
}

const WordsContext = createContext<Words | undefined>(undefined);

/** What a component says, and how it writes amounts, numbers and times: all in the reader's language. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === undefined) throw new Error('useWords stands outside of WordsProvider.');
  return words;
}

export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const [wanted, setWanted] = useState(preferredLocale);
  const [loaded, setLoaded] = useState<Catalog & { readonly locale: Locale }>();
  useEffect(() => {
    let isCurrent = true;
    void loadCatalog(wanted).then((catalog) => {
      if (isCurrent) setLoaded({ locale: wanted, ...catalog });
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  const value = useMemo((): Words | undefined => {
    if (loaded === undefined) return undefined;
    const { locale, words, names } = loaded;
    document.documentElement.lang = locale;
    const setLocale = (next: Locale) => {
      keepLocale(next);
      setWanted(next);
    };
    const named: NameOf = (group, raw) => {
      const known: Readonly<Record<string, string>> = names[group];
      return Object.hasOwn(known, raw) ? (known[raw] ?? raw) : raw;
    };
    return { t: translator(locale, words), named, locale, setLocale, ...formatsOf(locale) };
  }, [loaded]);
  if (value === undefined) return null;
  return (
    <I18nProvider locale={value.locale}>
      <WordsContext value={value}>{children}</WordsContext>
    </I18nProvider>
  );
}

function translator(locale: Locale, words: PortalWords): Translate {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  return (key, values = {}) => {
    const [one = '', other = one] = words[key].split(' | ');
    const count = values['count'];
    const text = typeof count === 'number' && plural.select(count) !== 'one' ? other : one;
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number.format(value) : value;
    });
  };
}
