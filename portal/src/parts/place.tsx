import { type ReactNode, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Field } from './fields.tsx';

/** Where something was sold; a list is narrowed to what is there. */
export interface Place {
  readonly shop?: string;
  readonly site?: string;
  readonly terminal?: string;
}

interface PlaceFieldsProps {
  readonly place: Place;
  /** A text that is emptied is undefined. */
  readonly onChange: (change: { readonly [name in keyof Place]?: string | undefined }) => void;
}

/** Narrows a list to a shop, a site and a terminal. */
export function PlaceFields({ place: { shop, site, terminal }, onChange }: PlaceFieldsProps) {
  const { t } = useWords();
  return (
    <>
      <OnlyField
        key={`shop ${shop}`}
        label={t('onlyShop')}
        value={shop}
        most={100}
        onChange={(text) => onChange({ shop: text })}
      />
      <OnlyField
        key={`site ${site}`}
        label={t('onlySite')}
        value={site}
        most={40}
        onChange={(text) => onChange({ site: text })}
      />
      <OnlyField
        key={`terminal ${terminal}`}
        label={t('onlyTerminal')}
        value={terminal}
        most={16}
        onChange={(text) => onChange({ terminal: text })}
      />
    </>
  );
}

interface OnlyFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Characters that the API takes. */
  readonly most: number;
  readonly onChange: (text: string | undefined) => void;
}

/** It acts when it is left or sent. */
function OnlyField({ label, value, most, onChange }: OnlyFieldProps) {
  const [text, setText] = useState(value ?? '');
  const apply = () => {
    const wanted = text.trim() === '' ? undefined : text.trim();
    if (wanted !== value) onChange(wanted);
  };
  return (
    <Field
      label={label}
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      maxLength={most}
      autoComplete="off"
    />
  );
}

/** Where something was sold, in few words: the shop, and below it its site and terminal. Null where nothing is known, so that the cell is empty. */
export function placeName({ shop, site, terminal }: { readonly [name in keyof Place]-?: string | null }): ReactNode {
  const below = [site, terminal].filter((name) => name !== null).join(' · ');
  if (shop === null && below === '') return null;
  return (
    <span className="stack-tight">
      {shop !== null && <span>{shop}</span>}
      {below !== '' && <span className="soft reference">{below}</span>}
    </span>
  );
}
