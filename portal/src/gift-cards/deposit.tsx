import { useState } from 'react';
import type { ListedGiftCard } from '../../../client/portal.generated.ts';
import { plainDigits } from '../../../src/kit/cards/typed-card.ts';
import { call } from '../api/call.ts';
import { preDeposit } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { AmountField, Field } from '../parts/fields.tsx';
import { toMinor } from '../words/money.ts';
import { useWords } from '../words/words.tsx';

/** Loads a card. The API takes a deposit by the whole number, which only the holder of the card can tell. */
export function DepositDialog({ card, onClose }: { readonly card: ListedGiftCard; readonly onClose: () => void }) {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [accountKey, setAccountKey] = useState('');
  const [amount, setAmount] = useState(Number.NaN);
  const [reason, setReason] = useState('');
  const [orderRef] = useState(() => `portal-${crypto.randomUUID()}`);
  const { currency } = card;
  const amountMinor = Number.isNaN(amount) ? 0 : toMinor(amount, currency);
  const submit = async () => {
    const body = {
      amount: amountMinor,
      currency,
      orderRef,
      ...(reason.trim() === '' ? {} : { description: reason.trim() }),
      SimpleAccountIdentifier: { accountKey: plainDigits(accountKey) },
    };
    await call(preDeposit, { payeeId, body });
    await reload();
    return undefined;
  };
  return (
    <FormDialog
      title={t('deposit')}
      submit={t('deposit')}
      onSubmit={submit}
      onClose={onClose}
      isReady={amountMinor > 0}
    >
      <Field
        label={t('cardNumber')}
        help={t('depositNumberHelp', { masked: card.masked })}
        value={accountKey}
        onChange={setAccountKey}
        inputMode="numeric"
        autoComplete="off"
        isRequired
        autoFocus
      />
      <AmountField label={t('amount')} currency={currency} value={amount} onChange={setAmount} />
      <Field label={`${t('reason')} (${t('optional')})`} value={reason} onChange={setReason} maxLength={40} />
      <div className="note" aria-live="polite">
        {t('availableAfterwards', { amount: money(card.available + amountMinor, currency) })}
      </div>
    </FormDialog>
  );
}
