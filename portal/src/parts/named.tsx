import type { PortalNames } from '../../../locales/portal-names-en-US.ts';
import { useWords } from '../words/words.tsx';

interface NamedProps {
  readonly group: keyof PortalNames;
  /** As the API has it: told on hover, for users who look for it there. */
  readonly raw: string;
}

/** What a payer pays with, where it is no card: a kind of invoice has a name of its own behind the dash. */
export function InstrumentName({ raw }: { readonly raw: string }) {
  const [kind = raw, ...rest] = raw.split('-');
  return (
    <span title={raw}>
      <Named group="instrument" raw={kind} />
      {rest.length > 0 && <span className="reference"> · {rest.join('-')}</span>}
    </span>
  );
}

/** What the API calls by a name of its own, in the reader's language. */
export function Named({ group, raw }: NamedProps) {
  const { named } = useWords();
  return <span title={raw}>{named(group, raw)}</span>;
}
