import { useState } from 'react';
import type { GiftCardProduct } from '../../../client/kontor.generated.ts';
import { call } from '../api/call.ts';
import { previewSweep, sweepGiftCards } from '../api/operations.generated.ts';
import { awaitsApproval } from '../api/problem.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

/** Characters of a reason, as the service takes them. */
const REASON_CHARACTERS = 255;

interface SweepProps {
  readonly product: GiftCardProduct;
  readonly onClose: () => void;
}

/** Books what is left on expired cards of a product, after a look at how much it is. */
export function Sweep({ product: { productId, name }, onClose }: SweepProps) {
  const { t, money } = useWords();
  const { payeeId, timeZone } = useSession();
  const reload = useReload();
  const [expiredBefore, setExpiredBefore] = useState(() =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(Date.now()),
  );
  const [reason, setReason] = useState('');
  const { data } = useRead(previewSweep, { payeeId, query: { productId, expiredBefore } });
  const submit = async () => {
    const body = { productId, expiredBefore, ...(reason !== '' && { reason }) };
    const { approval } = await call(sweepGiftCards, { payeeId, body });
    if (approval !== null) throw awaitsApproval();
    await reload();
    return undefined;
  };
  return (
    <FormDialog
      title={`${t('sweep')}: ${name}`}
      submit={t('sweep')}
      danger
      isReady={data !== undefined && data.cards > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {t('sweepProductText')} {data?.needsSecondPerson === true && t('anotherMustAgree')}
      </p>
      <Field label={t('expiredBefore')} type="date" value={expiredBefore} onChange={setExpiredBefore} />
      <Field
        label={`${t('reason')} (${t('optional')})`}
        value={reason}
        onChange={setReason}
        maxLength={REASON_CHARACTERS}
      />
      {data !== undefined && (
        <p>
          <strong>
            {data.currency === null
              ? t('noSuchExpired')
              : t('expiredCards', { count: data.cards, amount: money(data.amount, data.currency) })}
          </strong>
        </p>
      )}
    </FormDialog>
  );
}
