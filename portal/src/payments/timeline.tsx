import { Link } from '@tanstack/react-router';
import type { Moment } from '../../../client/portal.generated.ts';
import { useSession } from '../app/session.tsx';
import { EntryLines } from '../ledger/entry-lines.tsx';
import { Named } from '../parts/named.tsx';
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
  const { at, kind, amount, currency, actorName, entries } = moment;
  return (
    <li data-tone={toneOf(moment)}>
      <div className="timeline-head">
        <span>
          <span className="soft">{t(MOMENTS[kind])}</span> <MomentTitle moment={moment} />
        </span>
        <span className="soft">
          <Time at={at} />
        </span>
      </div>
      <div className="soft parted">
        <Outcome moment={moment} />
        {amount !== null && currency !== null && <span className="number">{money(amount, currency)}</span>}
        {actorName !== null && <span>{actorName}</span>}
      </div>
      {currency !== null && entries.length > 0 && <EntryLines entries={entries} currency={currency} />}
    </li>
  );
}

/** How it went: the state, what was answered, and why it failed. */
function Outcome({ moment: { state, status, problem } }: { readonly moment: Moment }) {
  return (
    <>
      {state !== null && <Named group="state" raw={state} />}
      {status !== null && <span className="number">{status}</span>}
      {problem !== null && <Named group="problem" raw={problem} />}
    </>
  );
}

/** The name of what happened, as a link to where more is told. */
function MomentTitle({ moment }: { readonly moment: Moment }) {
  const { can } = useSession();
  const { kind, id, webhookId } = moment;
  const name = <MomentName moment={moment} />;
  if (kind === 'call' && can('getCall')) {
    return (
      <Link to="/calls/$callId" params={{ callId: id }}>
        {name}
      </Link>
    );
  }
  if (kind === 'delivery' && webhookId !== null && can('getWebhookRates')) {
    return (
      <Link to="/webhooks/$webhookId" params={{ webhookId }}>
        {name}
      </Link>
    );
  }
  if (kind === 'movement' && can('getMovement')) {
    return (
      <Link to="/ledger/movements/$movementId" params={{ movementId: id }}>
        {name}
      </Link>
    );
  }
  return <strong>{name}</strong>;
}

/** A call keeps the name of its operation, which is what the reference has; all else has a name in each language. */
function MomentName({ moment: { kind, title } }: { readonly moment: Moment }) {
  switch (kind) {
    case 'call':
      return <span className="mono">{title}</span>;
    case 'act':
      return <Named group="action" raw={title} />;
    case 'delivery':
      return <Named group="event" raw={title} />;
    default:
      return <Named group={kind} raw={title} />;
  }
}

function toneOf({ kind, problem, status, state }: Moment): 'bad' | 'good' | 'accent' | undefined {
  if (
    problem !== null ||
    state === 'Failed' ||
    state === 'FAILED' ||
    state === 'GivenUp' ||
    (status !== null && status >= 400)
  )
    return 'bad';
  if (kind === 'transaction') return 'good';
  return kind === 'act' ? 'accent' : undefined;
}
