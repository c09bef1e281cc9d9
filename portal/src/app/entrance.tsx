import { type ReactNode, useEffect } from 'react';
import { SelectField } from '../parts/fields.tsx';
import { LOCALES, type Locale } from '../words/locales.ts';
import { useWords } from '../words/words.tsx';
import { Brand } from './brand.tsx';

/** The page of a person who is not signed in: one card in the middle. */
export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { t, locale, setLocale } = useWords();
  useEffect(() => {
    document.title = `${title} · Kontor`;
  }, [title]);
  return (
    <div className="signin">
      <span />
      <main className="signin-card">
        <Brand name="Kontor" note={t('portal')} />
        <h1>{title}</h1>
        {children}
        <SelectField
          label={t('language')}
          choices={Object.entries(LOCALES).map(([id, label]) => ({ id, label }))}
          value={locale}
          onChange={(chosen) => setLocale(chosen as Locale)}
        />
      </main>
    </div>
  );
}
