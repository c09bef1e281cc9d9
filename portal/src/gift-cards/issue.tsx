import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { GiftCardProduct, NewGiftCard } from '../../../client/kontor.generated.ts';
import { call } from '../api/call.ts';
import { getNewGiftCard, listGiftCardProducts } from '../api/operations.generated.ts';
import { Problem } from '../api/problem.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { AmountField, Field, SelectField } from '../parts/fields.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { fromMinor, toMinor } from '../words/money.ts';
import { useWords } from '../words/words.tsx';

type IssuedCard = NewGiftCard['accountSummaryGiftCard'];

/** At most so many cards are issued from here at once: more are a file, by the command line. */
const MOST_AT_ONCE = 50;

/** The cards that are made so far. */
interface Issued {
  readonly cards: readonly IssuedCard[];
  /** Whether more of them come. */
  readonly isGoingOn: boolean;
}

/** Issues cards. Their numbers and codes are shown here once. */
export function IssueButtons() {
  const { t } = useWords();
  const { can, payeeId } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [issued, setIssued] = useState<Issued>();
  const { data } = useRead(listGiftCardProducts, can('getNewGiftCard') ? { payeeId } : undefined);
  const onSale = data?.products.filter(({ state }) => state === 'OnSale') ?? [];
  if (onSale.length === 0) return null;
  return (
    <>
      <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setIsOpen(true)}>
        {t('issueCards')}
      </Button>
      {isOpen && <IssueDialog products={onSale} onClose={() => setIsOpen(false)} onIssued={setIssued} />}
      {issued !== undefined && (
        <SecretDialog
          title={t('issuedCards', { count: issued.cards.length })}
          secrets={[
            [
              `${t('cardNumber')}; cvc; ${t('expires')}`,
              issued.cards.map((card) => `${card.accountKey}; ${card.cvc}; ${card.expiryDate}`).join('\n'),
            ],
          ]}
          {...(issued.isGoingOn && { awaits: t('moreCardsCome') })}
          onClose={() => setIssued(undefined)}
        />
      )}
    </>
  );
}

function IssueDialog(props: {
  readonly products: readonly GiftCardProduct[];
  readonly onClose: () => void;
  readonly onIssued: (issued: Issued) => void;
}) {
  const { products, onClose, onIssued } = props;
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [productId, setProductId] = useState(
    () => (products.find(({ isDefault }) => isDefault) ?? products[0])?.productId ?? '',
  );
  const [amount, setAmount] = useState(Number.NaN);
  const [count, setCount] = useState('1');
  const [orderRef, setOrderRef] = useState('');
  const [key] = useState(() => crypto.randomUUID());
  const product = products.find((one) => one.productId === productId);
  if (product === undefined) return null;
  const { currency, smallestAmount, largestAmount } = product;
  const wanted = Number(count);
  const amountMinor = Number.isNaN(amount) ? -1 : toMinor(amount, currency);
  const isCount = Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_AT_ONCE;
  const isReady = amountMinor >= smallestAmount && amountMinor <= largestAmount && isCount;
  const submit = async () => {
    try {
      await issue(
        { payeeId, body: { amount: amountMinor, productId, ...(orderRef !== '' && { orderRef }) }, count: wanted, key },
        onIssued,
      );
    } finally {
      await reload();
    }
    return undefined;
  };
  return (
    <FormDialog
      title={t('issueCards')}
      submit={t('issueCards')}
      onSubmit={submit}
      done={null}
      onClose={onClose}
      isReady={isReady}
    >
      <SelectField
        label={t('product')}
        choices={products.map(({ productId: id, name }) => ({ id, label: name }))}
        value={productId}
        onChange={setProductId}
      />
      <AmountField
        label={t('amount')}
        currency={currency}
        value={amount}
        onChange={setAmount}
        minValue={fromMinor(smallestAmount, currency)}
        maxValue={fromMinor(largestAmount, currency)}
        help={t('fromTo', { from: money(smallestAmount, currency), to: money(largestAmount, currency) })}
        autoFocus
      />
      <Field
        label={t('howMany')}
        help={t('howManyHelp', { count: MOST_AT_ONCE })}
        value={count}
        onChange={setCount}
        inputMode="numeric"
        fault={count === '' || isCount ? undefined : t('howManyHelp', { count: MOST_AT_ONCE })}
        isRequired
      />
      <Field
        label={`${t('orderReference')} (${t('optional')})`}
        value={orderRef}
        onChange={setOrderRef}
        pattern="[A-Za-z0-9._\-]{1,64}"
      />
    </FormDialog>
  );
}

interface Wanted {
  readonly payeeId: string;
  readonly body: { readonly amount: number; readonly productId: string; readonly orderRef?: string };
  readonly count: number;
  /** Sent again after a lost answer, each card comes once. */
  readonly key: string;
}

/**
 * Issues cards one after the other. They are told as they are made: a card whose number was never seen would be lost. Where one
 * waits for another person, the others are asked for too.
 *
 * @throws Problem where one was refused or waits; those that are made are told as all that there are
 */
async function issue({ payeeId, body, count, key }: Wanted, onIssued: (issued: Issued) => void) {
  const cards: IssuedCard[] = [];
  let waits: Problem | undefined;
  try {
    for (let made = 0; made < count; made++) {
      try {
        const asked = { payeeId, body, idempotencyKey: `${key}-${made}` };
        cards.push((await call(getNewGiftCard, asked)).accountSummaryGiftCard);
      } catch (problem) {
        if (!(problem instanceof Problem && problem.awaitsApproval)) throw problem;
        waits = problem;
      }
      if (cards.length > 0) onIssued({ cards: [...cards], isGoingOn: made + 1 < count });
    }
    if (waits !== undefined) throw waits;
  } catch (problem) {
    if (cards.length > 0) onIssued({ cards, isGoingOn: false });
    throw problem;
  }
}
