import { Problem } from '../api/problem.ts';
import type { WordKey } from '../words/words.tsx';
import { useWords } from '../words/words.tsx';
import { Copyable } from './copyable.tsx';

/** The service's problems that a person meets here, by code. Others are told in the service's own words. */
const KNOWN: Readonly<Record<string, WordKey>> = {
  network: 'problemNetwork',
  inputerror: 'problemInput',
  unauthorized: 'problemUnauthorized',
  forbidden: 'problemForbidden',
  notfound: 'problemNotFound',
  conflict: 'problemConflict',
  referencereused: 'problemReferenceReused',
  toomanyrequests: 'problemTooMany',
  systemerror: 'problemSystem',
  unavailable: 'problemUnavailable',
};

/** What an issuer said, in the reader's words; what has none in the service's. */
const wordsOf = ({ code, title }: Problem, name: string): string => (name === code ? title : name);

/** What went wrong, in words, with the id to name when asking for help. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  const { t, named } = useWords();
  if (error === null || error === undefined) return null;
  if (!(error instanceof Problem)) return <Note text={t('problemHere')} />;
  if (error.problems.some(({ name }) => name === 'wrong-codes')) return <Note text={t('signInClosed')} />;
  const known = KNOWN[error.code];
  return (
    <Note text={known === undefined ? wordsOf(error, named('problem', error.code)) : t(known)}>
      {error.problems.length > 0 ? (
        <ul>
          {error.problems.map(({ name, description }) => (
            <li key={`${name} ${description}`}>
              <span className="mono">{name}</span>: {description}
            </li>
          ))}
        </ul>
      ) : (
        known === undefined && error.detail !== error.title && <p>{error.detail}</p>
      )}
      {error.retryAfter !== undefined && <p>{t('tryAgainIn', { count: error.retryAfter })}</p>}
      {error.sessionId !== undefined && (
        <p>
          {t('sessionId')}: <Copyable text={error.sessionId} />
        </p>
      )}
    </Note>
  );
}

function Note({ text, children }: { readonly text: string; readonly children?: React.ReactNode }) {
  return (
    <div className="note" data-tone="bad" role="alert">
      <strong>{text}</strong>
      {children}
    </div>
  );
}
