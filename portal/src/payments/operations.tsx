import { useState } from 'react';
import type { CardPaymentAnswer } from '../../../client/kontor.generated.ts';
import type { ListedPayment } from '../../../client/portal.generated.ts';
import { follow, offers } from '../api/call.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { AmountField, Field } from '../parts/fields.tsx';
import { Named } from '../parts/named.tsx';
import { fromMinor, toMinor } from '../words/money.ts';
import { useWords, type WordKey } from '../words/words.tsx';
import { declineOf, followUp, isCardPayment, type PublicPayment } from './follow-up.ts';

const STEPS = [
  { rel: 'create-capture', word: 'capture' },
  { rel: 'create-cancellation', word: 'cancelPayment' },
  { rel: 'create-reversal', word: 'reverse' },
] as const;
type Step = (typeof STEPS)[number];

/** What is said when a step is done. */
const DONE = {
  capture: 'capturedNotice',
  cancelPayment: 'cancelledNotice',
  reverse: 'reversedNotice',
} as const satisfies Readonly<Record<Step['word'], WordKey>>;

interface OperationsProps {
  readonly payment: ListedPayment;
  /** The payment as the public API tells it, with what it offers. */
  readonly shown: PublicPayment;
  /** What waits for another person to be given back. */
  readonly waiting: number;
}

/** A button for each operation that the API offers now; there are no others. */
export function Operations({ payment, shown, waiting }: OperationsProps) {
  const { t } = useWords();
  const [chosen, setChosen] = useState<Step>();
  const [isAborting, setIsAborting] = useState(false);
  const canAbort = isCardPayment(shown) && offers(shown, 'update-payment-abort');
  return (
    <>
      {STEPS.filter((step) => offers(shown, step.rel) && !waitsWhole(step, payment, waiting)).map((step) => (
        <Button key={step.rel} kind={step.word === 'capture' ? 'primary' : 'plain'} onPress={() => setChosen(step)}>
          {t(step.word)}
        </Button>
      ))}
      {canAbort && <Button onPress={() => setIsAborting(true)}>{t('abort')}</Button>}
      {chosen !== undefined && (
        <FollowUp
          payment={payment}
          shown={shown}
          waiting={waiting}
          step={chosen}
          onClose={() => setChosen(undefined)}
        />
      )}
      {canAbort && isAborting && <Abort payment={payment} shown={shown} onClose={() => setIsAborting(false)} />}
    </>
  );
}

/** Whether all that could be given back waits for another person already. */
const waitsWhole = ({ word }: Step, { remaining }: ListedPayment, waiting: number): boolean =>
  word === 'reverse' && waiting > 0 && remaining.reversal <= waiting;

interface FollowUpProps extends OperationsProps {
  readonly step: Step;
  readonly onClose: () => void;
}

const newReference = () => `portal-${crypto.randomUUID().slice(0, 13)}`;

/**
 * Sends a step. Its reference is made once: sent again after an answer was lost, it does nothing twice. What was declined
 * keeps its reference, and another try is another request.
 */
function useStep(shown: PublicPayment, { rel }: Step) {
  const { payeeId } = useSession();
  const reload = useReload();
  const [reference, setReference] = useState(newReference);
  const [declined, setDeclined] = useState<string>();
  const send = async (wanted: {
    readonly amountMinor: number | undefined;
    readonly description: string;
  }): Promise<'stay' | undefined> => {
    const decline = declineOf(await followUp(shown, rel, { ...wanted, payeeId, reference }));
    setDeclined(decline);
    await reload();
    if (decline === undefined) return undefined;
    setReference(newReference());
    return 'stay';
  };
  return { reference, declined, send };
}

/** Captures, cancels or reverses. */
function FollowUp({ payment, shown, waiting, step, onClose }: FollowUpProps) {
  const { t, money } = useWords();
  const { session } = useSession();
  const left = step.word === 'capture' ? payment.remaining.capture : Math.max(payment.remaining.reversal - waiting, 0);
  const [amount, setAmount] = useState(fromMinor(left, payment.currency));
  const [description, setDescription] = useState('');
  const { reference, declined, send } = useStep(shown, step);
  const [typed, setTyped] = useState('');
  const takesAmount = step.word !== 'cancelPayment';
  const amountMinor = Number.isNaN(amount) ? 0 : toMinor(amount, payment.currency);
  const confirms = payment.orderReference ?? payment.reference ?? String(payment.number ?? payment.paymentId);
  const isLive = session.mode === 'production' && step.word === 'reverse';
  const submit = () => send({ amountMinor: takesAmount ? amountMinor : undefined, description });
  const isReady = (!takesAmount || (amountMinor > 0 && amountMinor <= left)) && (!isLive || typed === confirms);
  return (
    <FormDialog
      title={t(step.word)}
      submit={t(step.word)}
      danger={step.word !== 'capture'}
      done={t(DONE[step.word], {
        amount: money(takesAmount ? amountMinor : payment.remaining.cancel, payment.currency),
      })}
      onSubmit={submit}
      onClose={onClose}
      isReady={isReady}
    >
      {takesAmount ? (
        <AmountField
          label={t('amount')}
          currency={payment.currency}
          value={amount}
          onChange={setAmount}
          maxValue={fromMinor(left, payment.currency)}
          help={
            step.word === 'reverse' && waiting > 0
              ? t('atMostWaiting', { amount: money(left, payment.currency), waiting: money(waiting, payment.currency) })
              : t('atMost', { amount: money(left, payment.currency) })
          }
          autoFocus
        />
      ) : (
        <p>{t('cancelText', { amount: money(payment.remaining.cancel, payment.currency) })}</p>
      )}
      <Field
        label={`${t('description')} (${t('optional')})`}
        value={description}
        onChange={setDescription}
        maxLength={40}
      />
      <div className="note" aria-live="polite">
        {t('afterwards', { amount: money(takesAmount ? Math.max(left - amountMinor, 0) : 0, payment.currency) })}
        <span className="soft">
          {t('reference')}: <span className="mono">{reference}</span>
        </span>
      </div>
      {declined !== undefined && (
        <div className="note" data-tone="bad" role="alert">
          <strong>
            <Named group="problem" raw={declined} />
          </strong>
        </div>
      )}
      {isLive && <Field label={t('typeToConfirm', { text: confirms })} value={typed} onChange={setTyped} isRequired />}
    </FormDialog>
  );
}

interface AbortProps {
  readonly payment: ListedPayment;
  readonly shown: CardPaymentAnswer;
  readonly onClose: () => void;
}

function Abort({ payment, shown, onClose }: AbortProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const submit = async () => {
    const body = { payment: { operation: 'Abort', abortReason: 'CancelledInPortal' } } as const;
    await follow(shown, 'update-payment-abort', { payeeId, body });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('abort')} submit={t('abort')} danger onSubmit={submit} onClose={onClose}>
      <p>{t('abortText', { reference: String(payment.number ?? payment.paymentId) })}</p>
    </FormDialog>
  );
}
