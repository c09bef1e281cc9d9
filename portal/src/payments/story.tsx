import type { ReactNode } from 'react';
import type { Moment } from '../../../client/portal.generated.ts';
import { Named } from '../parts/named.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { type Step, technicalMoments } from './story.ts';
import { Timeline } from './timeline.tsx';

interface StoryProps {
  readonly steps: readonly Step[];
  readonly currency: string;
  readonly timeline: readonly Moment[];
  /** What one part of a step is called, with its amount. */
  readonly partOf?: ((part: Step['parts'][number]) => string) | undefined;
}

/** What acquirer, bank and directory server have said of card and payer. */
function checksShown(checks: Step['checks']): readonly (readonly [key: string, shown: ReactNode])[] {
  if (checks === null) return [];
  const { cvcResult, addressResult, authenticationStatus, transStatusReason, dsTransactionId, eci } = checks;
  return [
    ['cvc', cvcResult !== null && <Named group="cvcResult" raw={cvcResult} />],
    ['address', addressResult !== null && <Named group="addressResult" raw={addressResult} />],
    [
      'authentication',
      authenticationStatus !== null && (
        <>
          <Named group="authenticationStatus" raw={authenticationStatus} />
          {transStatusReason !== null && ` (${transStatusReason})`}
        </>
      ),
    ],
    ['eci', eci !== null && `ECI ${eci}`],
    ['ds', dsTransactionId !== null && <span className="reference">{dsTransactionId}</span>],
    ['scheme', checks.schemeReference !== null && <Named group="schemeReference" raw={checks.schemeReference} />],
  ];
}

/** What happened, each thing once and in people's words. What programs sent and were told is folded up below. */
export function Story({ steps, currency, timeline, partOf }: StoryProps) {
  const { t } = useWords();
  const technical = technicalMoments(timeline);
  return (
    <section className="card stack-small">
      <h2>{t('story')}</h2>
      {steps.length === 0 ? (
        <p className="soft">{t('nothingHappened')}</p>
      ) : (
        <ol className="timeline">
          {steps.map((step) => (
            <StepShown key={step.key} step={step} currency={currency} partOf={partOf} />
          ))}
        </ol>
      )}
      {technical.length > 0 && (
        <details>
          <summary>{t('technicalDetails')}</summary>
          <Timeline moments={technical} />
        </details>
      )}
    </section>
  );
}

const INITIATORS = { Payee: 'byPayee', Payer: 'byPayer', PaymentGateway: 'byPaymentGateway' } as const;

function StepShown({ step, currency, partOf }: Pick<StoryProps, 'currency' | 'partOf'> & { readonly step: Step }) {
  const { t, money } = useWords();
  const { group, raw, tone, at, amount, by, person, instrument, problem, state, number, reference, parts, checks } =
    step;
  const initiator = by === null ? null : t(INITIATORS[by as keyof typeof INITIATORS]);
  const details: readonly (readonly [key: string, shown: ReactNode])[] = [
    ['amount', amount !== null && <span className="number">{money(amount, currency)}</span>],
    ['problem', problem !== null && <Named group="problem" raw={problem} />],
    ['state', state !== null && problem === null && <Named group="state" raw={state} />],
    ['instrument', parts.length === 0 && instrument !== null && t(instrument === 'GiftCard' ? 'giftCard' : 'card')],
    ['by', person ?? initiator],
    ['number', number !== null && <span className="number">{number}</span>],
    ['reference', reference !== null && <span className="reference">{reference}</span>],
    ...checksShown(checks),
  ];
  return (
    <li data-tone={tone}>
      <div className="timeline-head">
        <strong>
          <Named group={group} raw={raw} />
        </strong>
        <span className="soft">
          <Time at={at} />
        </span>
      </div>
      <div className="soft parted">{details.map(([key, shown]) => shown && <span key={key}>{shown}</span>)}</div>
      {parts.length > 0 && partOf !== undefined && (
        <ul className="plain soft">
          {parts.map((part) => (
            <li key={part.legId}>{partOf(part)}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
