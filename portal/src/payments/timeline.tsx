import { Link } from '@tanstack/react-router';
import type { Moment } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Time } from '../parts/time.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

const MOMENTS: Readonly<Record<Moment['kind'], WordKey>> = {
  call: 'momentCall',
  transaction: 'momentTransaction',
  movement: 'momentMovement',
  delivery: 'momentDelivery',
  act: 'momentAct',
};

/** Everything that happened, the newest first: calls, transactions, entries of the ledger, deliveries and people. */
export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  const { t } = useWords();
  if (moments.length === 0) return <p className="soft">{t('nothingHappened')}</p>;
  return (
    <ol className="timeline">
      {moments.toReversed().map((moment) => (
        <MomentShown key={`${moment.kind} ${moment.id} ${moment.title}`} moment={moment} />
      ))}
    </ol>
  );
}

function MomentShown({ moment }: { readonly moment: Moment }) {
  const { t, money } = useWords();
  const { at, kind, title, state, amount, currency, problem, status } = moment;
  const outcome = [state, status, problem].filter((part) => part !== null && part !== '').join(' · ');
  return (
    <li data-tone={toneOf(moment)}>
      <div className="timeline-head">
        <span>
          <span className="soft">{t(MOMENTS[kind])}</span> <MomentTitle moment={moment} title={title} />
        </span>
        <span className="soft">
          <Time at={at} />
        </span>
      </div>
      <div className="soft">
        {outcome}
        {amount !== null && currency !== null && (
          <span className="number">
            {outcome !== '' && ' · '}
            {money(amount, currency)}
          </span>
        )}
        {moment.actorName !== null && ` · ${moment.actorName}`}
      </div>
      {moment.entries.length > 0 && currency !== null && (
        <ul className="soft number">
          {moment.entries.map((entry) => (
            <li key={`${entry.side} ${entry.accountId}`}>
              {entry.side}: {money(entry.amount, currency)}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The name of what happened, as a link to where more is told. */
function MomentTitle({ moment, title }: { readonly moment: Moment; readonly title: string }) {
  const { can } = useSession();
  if (moment.kind === 'call' && can('getCall')) {
    return (
      <Link to="/calls/$callId" params={{ callId: moment.id }}>
        {title}
      </Link>
    );
  }
  if (moment.kind === 'delivery' && moment.webhookId !== null && can('getWebhookRates')) {
    return (
      <Link to="/webhooks/$webhookId" params={{ webhookId: moment.webhookId }}>
        {title}
      </Link>
    );
  }
  return <strong>{title}</strong>;
}

function toneOf({ kind, problem, status, state }: Moment): 'bad' | 'good' | 'accent' | undefined {
  if (problem !== null || state === 'Failed' || (status !== null && status >= 400)) return 'bad';
  if (kind === 'transaction') return 'good';
  return kind === 'act' ? 'accent' : undefined;
}
