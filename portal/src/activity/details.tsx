import type { Activity, Session } from '../../../client/portal.generated.ts';
import { Facts } from '../parts/page.tsx';
import { useWords } from '../words/words.tsx';

type Role = Session['role'];

/** Characters of details that stand in a line; longer ones open. */
const LINE_CHARACTERS = 60;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** What was noted with a change, as names and values in the reader's language. */
export function Details({ details }: Pick<Activity, 'details'>) {
  const { t, named } = useWords();
  const write = useValue();
  const entries = Object.entries(details).map(([name, value]) => [named('detail', name), write(name, value)] as const);
  const line = entries.map(([name, value]) => `${name}: ${value}`).join(', ');
  if (line.length <= LINE_CHARACTERS) return <span className="soft">{line}</span>;
  return (
    <details>
      <summary>{t('details')}</summary>
      <Facts facts={entries} />
    </details>
  );
}

/** Writes a value of a detail: instants, states, roles and whole numbers as the reader is used to. */
function useValue(): (name: string, value: unknown) => string {
  const { t, named, exact, number } = useWords();
  return (name, value) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return number(value);
    if (typeof value !== 'string') return JSON.stringify(value);
    if (INSTANT.test(value)) return exact(value);
    if (name === 'state') return named('state', value);
    if (name === 'reason') return named('refusal', value);
    if (name === 'archivedBy') return named('archiver', value);
    return name === 'role' || name === 'roleBefore' ? t(value as Role) : value;
  };
}
