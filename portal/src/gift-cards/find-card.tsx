import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { plainDigits } from '../../../src/kit/cards/typed-card.ts';
import { call } from '../api/call.ts';
import { findGiftCard } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

/** Finds a card by its whole number, which travels in a body and never in an address. */
export function FindCard() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [accountKey, setAccountKey] = useState('');
  const [isUnknown, setIsUnknown] = useState(false);
  if (!can('findGiftCard')) return null;
  const find = async (): Promise<'stay' | undefined> => {
    const {
      giftCards: [giftCard],
    } = await call(findGiftCard, { payeeId, body: { accountKey: plainDigits(accountKey) } });
    setIsUnknown(giftCard === undefined);
    if (giftCard === undefined) return 'stay';
    await navigate({ to: '/gift-cards/$accountId', params: { accountId: giftCard.accountId } });
    return undefined;
  };
  return (
    <>
      <Button icon={<Search size={16} aria-hidden />} onPress={() => setIsOpen(true)}>
        {t('findCard')}
      </Button>
      {isOpen && (
        <FormDialog
          title={t('findCard')}
          submit={t('search')}
          onSubmit={find}
          done={null}
          onClose={() => setIsOpen(false)}
        >
          <Field
            label={t('cardNumber')}
            value={accountKey}
            onChange={setAccountKey}
            inputMode="numeric"
            autoComplete="off"
            isRequired
            autoFocus
          />
          {isUnknown && (
            <p className="note" data-tone="warn" role="status">
              {t('cardUnknown')}
            </p>
          )}
        </FormDialog>
      )}
    </>
  );
}
