import { Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { OrderLegShown, OrderShown } from '../../../client/portal.generated.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { type getOrderStory, previewOrderSplit } from '../api/operations.generated.ts';
import { Problem } from '../api/problem.ts';
import { useRead, useReload } from '../api/queries.ts';
import { askPublic } from '../api/send.ts';
import { useSession } from '../app/session.tsx';
import { waitingAmount } from '../approvals/waiting-note.tsx';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { AmountField, Checkbox, Field } from '../parts/fields.tsx';
import { useNotice } from '../parts/notice.tsx';
import { fromMinor, toMinor } from '../words/money.ts';
import { useWords } from '../words/words.tsx';
import { useLegName } from './legs.tsx';

/** What the API tells of an order that its steps are done by. */
export interface PublicOrder {
  readonly operations: readonly { readonly rel: string; readonly method: string; readonly href: string }[];
}

const STEPS = [
  { rel: 'capture', word: 'capture', type: 'Capture', done: 'capturedNotice' },
  { rel: 'cancel', word: 'cancelPayment', type: 'Cancellation', done: 'cancelledNotice' },
  { rel: 'reversal', word: 'reverse', type: 'Reversal', done: 'reversedNotice' },
] as const;
type Step = (typeof STEPS)[number];

interface StepsProps {
  readonly story: AnswerOf<typeof getOrderStory>;
  /** The order as the API tells it, with what it offers. */
  readonly shown: PublicOrder;
}

/** A button for each operation that the API offers now; there are no others. */
export function OrderSteps({ story, shown }: StepsProps) {
  const { t } = useWords();
  const notify = useNotice();
  const [chosen, setChosen] = useState<Step>();
  const [isAborting, setIsAborting] = useState(false);
  const offered = (rel: string) => shown.operations.find((operation) => operation.rel === rel);
  const link = story.order.status === 'Initialized' ? offered('redirect-checkout')?.href : undefined;
  const copy = async (address: string) => {
    await navigator.clipboard.writeText(address);
    notify(t('copied'));
  };
  return (
    <>
      {link !== undefined && (
        <Button icon={<Link2 size={16} aria-hidden />} onPress={() => void copy(link)}>
          {t('copyPaymentLink')}
        </Button>
      )}
      {STEPS.filter((step) => offered(step.rel) !== undefined && !waitsWhole(step, story)).map((step) => (
        <Button key={step.rel} kind={step.word === 'capture' ? 'primary' : 'plain'} onPress={() => setChosen(step)}>
          {t(step.word)}
        </Button>
      ))}
      {offered('abort') !== undefined && <Button onPress={() => setIsAborting(true)}>{t('abort')}</Button>}
      {chosen !== undefined && (
        <FollowUp story={story} shown={shown} step={chosen} onClose={() => setChosen(undefined)} />
      )}
      {isAborting && <Abort story={story} shown={shown} onClose={() => setIsAborting(false)} />}
    </>
  );
}

/** Does what the API offers, by its link. */
function useOffered(shown: PublicOrder): (rel: string, body: object) => Promise<void> {
  const { payeeId } = useSession();
  const reload = useReload();
  return async (rel, body) => {
    const operation = shown.operations.find((one) => one.rel === rel);
    if (operation === undefined) throw new TypeError(`${rel} is not offered.`);
    const { method, href: address } = operation;
    // Also a refusal may have changed the order: a declined capture is among its transactions.
    await askPublic({ payeeId, method, address, body, version: '3.1' }).finally(reload);
  };
}

const newReference = () => `portal-${crypto.randomUUID().slice(0, 13)}`;

type Parts = ReadonlyMap<string, number>;

interface FollowUpProps extends StepsProps {
  readonly step: Step;
  readonly onClose: () => void;
}

/** Captures, cancels or gives back. What falls on which means of payment is shown before, and can be changed. */
function FollowUp({ story, shown, step, onClose }: FollowUpProps) {
  const { t, money } = useWords();
  const { session } = useSession();
  const send = useSend(shown, step);
  const { order, legs } = story;
  const { currency } = order;
  const waiting = step.type === 'Reversal' ? waitingAmount(story.waiting) : 0;
  const left = Math.max(leftOf(order, step) - waiting, 0);
  const [amount, setAmount] = useState(fromMinor(left, currency));
  const [description, setDescription] = useState('');
  const [typed, setTyped] = useState('');
  const amountMinor = Number.isNaN(amount) ? 0 : toMinor(amount, currency);
  const isWhole = step.type === 'Cancellation';
  const { parts, proposal, vatAmount, isOwn, setPart } = useSplit(order, step, amountMinor);
  const items = useItems(order, (sum) => setAmount(fromMinor(Math.min(sum, left), currency)));
  const sum = [...parts.values()].reduce((total, part) => total + part, 0);
  const isLive = session.mode === 'production' && step.type === 'Reversal';
  const submit = () => {
    const words = { description: description.trim() || t(step.word) };
    const amounts = { amount: amountMinor, vatAmount: items.vatAmount ?? vatAmount };
    return send(isWhole ? words : { ...words, ...amounts, ...(isOwn && { legs: partsOf(parts) }) });
  };
  const isSplitRight = isWhole || (parts.size > 0 && sum === amountMinor);
  const isReady = isWhole || (amountMinor > 0 && amountMinor <= left && isSplitRight);
  return (
    <FormDialog
      title={t(step.word)}
      submit={t(step.word)}
      danger={step.type !== 'Capture'}
      done={t(step.done, { amount: money(isWhole ? left : amountMinor, currency) })}
      onSubmit={submit}
      onClose={onClose}
      isReady={isReady && (!isLive || typed === String(order.number))}
    >
      {isWhole ? (
        <p>{t('cancelText', { amount: money(left, currency) })}</p>
      ) : (
        <>
          {items.choice}
          <AmountField
            key={items.chosen}
            label={t('amount')}
            currency={currency}
            value={amount}
            onChange={setAmount}
            maxValue={fromMinor(left, currency)}
            help={
              waiting > 0
                ? t('atMostWaiting', { amount: money(left, currency), waiting: money(waiting, currency) })
                : t('atMost', { amount: money(left, currency) })
            }
            autoFocus
          />
        </>
      )}
      <SplitFields
        legs={legs}
        currency={currency}
        step={step}
        proposal={proposal}
        parts={isWhole ? new Map(legs.map(({ legId, remaining }) => [legId, remaining.cancel])) : parts}
        onChange={isWhole ? undefined : setPart}
      />
      {!isSplitRight && parts.size > 0 && (
        <p className="field-error" role="alert">
          {t('splitWrong', { sum: money(sum, currency), amount: money(amountMinor, currency) })}
        </p>
      )}
      <Field
        label={`${t('description')} (${t('optional')})`}
        value={description}
        onChange={setDescription}
        maxLength={255}
      />
      {isLive && (
        <Field
          label={t('typeToConfirm', { text: String(order.number) })}
          value={typed}
          onChange={setTyped}
          isRequired
        />
      )}
    </FormDialog>
  );
}

/** The parts as a request names them. */
const partsOf = (parts: Parts) => [...parts].filter(([, part]) => part > 0).map(([id, part]) => ({ id, amount: part }));

/**
 * Sends a step. Its reference is made once: sent again after an answer was lost, it does nothing twice. What was declined
 * keeps its reference, and another try is another request.
 */
function useSend(shown: PublicOrder, { rel }: Step) {
  const act = useOffered(shown);
  const [payeeReference, setReference] = useState(newReference);
  return async (transaction: object): Promise<undefined> => {
    try {
      await act(rel, { transaction: { ...transaction, payeeReference } });
    } catch (problem) {
      if (isDecline(problem)) setReference(newReference());
      throw problem;
    }
  };
}

function leftOf({ remaining }: Pick<OrderShown, 'remaining'>, { type }: Step): number {
  return type === 'Capture' ? remaining.capture : type === 'Cancellation' ? remaining.cancel : remaining.reversal;
}

/** Whether all that could be given back waits for another person already. */
function waitsWhole(step: Step, { order, waiting }: StepsProps['story']): boolean {
  return step.type === 'Reversal' && waiting.length > 0 && leftOf(order, step) <= waitingAmount(waiting);
}

/** A decline is an answer of the issuer; what was refused for its form was not asked. */
function isDecline(problem: unknown): boolean {
  return problem instanceof Problem && problem.isOfCard;
}

/** How an amount falls on the legs: as the service would split it, until a person says otherwise. */
function useSplit(order: OrderShown, { type }: Step, amountMinor: number) {
  const { payeeId } = useSession();
  const isAsked = type !== 'Cancellation' && amountMinor > 0 && amountMinor <= leftOf(order, stepOf(type));
  const asked = { payeeId, orderId: order.orderId, query: { type: type as 'Capture', amount: String(amountMinor) } };
  const { data } = useRead(previewOrderSplit, isAsked ? asked : undefined, { of: order.updatedAt });
  const [own, setOwn] = useState<Parts>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another amount is split anew.
  useEffect(() => setOwn(undefined), [amountMinor]);
  const proposed: Parts = new Map(data?.parts.map((part) => [part.legId, part.amount]));
  const parts = own ?? proposed;
  const setPart = (legId: string, part: number) => setOwn(new Map(parts).set(legId, part));
  // Fields begin anew with each proposal: what was typed for another amount is not what is sent.
  const proposal = [amountMinor, ...proposed.values()].join(' ');
  return { parts, proposal, vatAmount: data?.vatAmount ?? 0, isOwn: own !== undefined, setPart };
}

const stepOf = (type: Step['type']): Step => STEPS.find((step) => step.type === type) ?? STEPS[0];

interface SplitFieldsProps {
  readonly legs: readonly OrderLegShown[];
  readonly currency: string;
  readonly step: Step;
  readonly parts: Parts;
  /** Names what the service proposes. */
  readonly proposal: string;
  /** Undefined: it cannot be changed. */
  readonly onChange: ((legId: string, amount: number) => void) | undefined;
}

/** What falls on each means of payment. With one there is nothing to split. */
function SplitFields({ legs, currency, step, parts, proposal, onChange }: SplitFieldsProps) {
  const { t, money } = useWords();
  const nameOf = useLegName();
  const left = (leg: OrderLegShown) => leftOf(leg, step);
  const taking = legs.filter((leg) => left(leg) > 0);
  if (taking.length < 2) return null;
  return (
    <fieldset className="stack-small">
      <legend>{t('splitTitle')}</legend>
      {onChange !== undefined && <p className="soft">{t('splitHelp')}</p>}
      {taking.map((leg) => {
        const part = parts.get(leg.legId) ?? 0;
        if (onChange === undefined) {
          return (
            <p key={leg.legId}>
              {nameOf(leg)} <strong className="number">{money(part, currency)}</strong>
            </p>
          );
        }
        return (
          <AmountField
            key={`${leg.legId} ${proposal}`}
            label={nameOf(leg)}
            currency={currency}
            value={fromMinor(part, currency)}
            onChange={(value) => onChange(leg.legId, Number.isNaN(value) ? 0 : toMinor(value, currency))}
            minValue={0}
            maxValue={fromMinor(left(leg), currency)}
            help={t('atMost', { amount: money(left(leg), currency) })}
          />
        );
      })}
    </fieldset>
  );
}

/** The items of an order, to be ticked in place of an amount. */
function useItems(order: OrderShown, onSum: (amount: number) => void) {
  const { t, money } = useWords();
  const [ticked, setTicked] = useState<readonly number[]>([]);
  const sumOf = (indexes: readonly number[], of: 'amount' | 'vatAmount') =>
    indexes.reduce((sum, index) => sum + (order.orderItems[index]?.[of] ?? 0), 0);
  const tick = (index: number, isOn: boolean) => {
    const next = isOn ? [...ticked, index] : ticked.filter((one) => one !== index);
    setTicked(next);
    if (next.length > 0) onSum(Math.max(sumOf(next, 'amount'), 0));
  };
  const choice = order.orderItems.length > 0 && (
    <details>
      <summary>{t('chooseItems')}</summary>
      <div className="stack-small">
        {order.orderItems.map(({ name, reference, amount }, index) => (
          <Checkbox
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no names of their own, and their order stands.
            key={index}
            isSelected={ticked.includes(index)}
            onChange={(isOn) => tick(index, isOn)}
          >
            {`${name} (${reference}) ${money(amount, order.currency)}`}
          </Checkbox>
        ))}
      </div>
    </details>
  );
  const vatAmount = ticked.length > 0 ? Math.max(sumOf(ticked, 'vatAmount'), 0) : undefined;
  return { choice, vatAmount, chosen: ticked.join(' ') };
}

function Abort({ story, shown, onClose }: StepsProps & { readonly onClose: () => void }) {
  const { t } = useWords();
  const act = useOffered(shown);
  const submit = async () => {
    await act('abort', { paymentorder: { operation: 'Abort', abortReason: 'CancelledInPortal' } });
    return undefined;
  };
  return (
    <FormDialog title={t('abort')} submit={t('abort')} danger onSubmit={submit} onClose={onClose}>
      <p>{t('abortOrderText', { number: String(story.order.number) })}</p>
    </FormDialog>
  );
}
