import { useState } from 'react';
import type { GiftCardAnswer, GiftCardReplacement } from '../../../client/kontor.generated.ts';
import type { ListedGiftCard } from '../../../client/portal.generated.ts';
import { follow, offers } from '../api/call.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useWords } from '../words/words.tsx';
import { DepositDialog } from './deposit.tsx';

const STEPS = [
  { rel: 'block-gift-card', needs: 'blockGiftCard', word: 'block', text: 'blockText' },
  { rel: 'unblock-gift-card', needs: 'unblockGiftCard', word: 'unblock', text: 'unblockText' },
  { rel: 'replace-gift-card', needs: 'replaceGiftCard', word: 'replace', text: 'replaceText' },
  { rel: 'merge-gift-card', needs: 'mergeGiftCard', word: 'merge', text: 'mergeText' },
  { rel: 'void-gift-card', needs: 'voidGiftCard', word: 'voidCard', text: 'voidText' },
  { rel: 'sweep-gift-card', needs: 'sweepGiftCard', word: 'sweep', text: 'sweepText' },
] as const;
type Step = (typeof STEPS)[number];

interface CardStepsProps {
  readonly card: ListedGiftCard;
  /** The card as the public API tells it, with what it offers. */
  readonly shown: GiftCardAnswer;
}

/** A button for each step that the API offers for this card now. */
export function CardSteps({ card, shown }: CardStepsProps) {
  const { t } = useWords();
  const { can } = useSession();
  const [chosen, setChosen] = useState<Step>();
  const [isDepositing, setIsDepositing] = useState(false);
  const [replacement, setReplacement] = useState<GiftCardReplacement>();
  return (
    <>
      {can('preDeposit') && card.state === 'Active' && (
        <Button kind="primary" onPress={() => setIsDepositing(true)}>
          {t('deposit')}
        </Button>
      )}
      {STEPS.filter(({ rel, needs }) => offers(shown, rel) && can(needs)).map((step) => (
        <Button key={step.rel} onPress={() => setChosen(step)}>
          {t(step.word)}
        </Button>
      ))}
      {isDepositing && <DepositDialog card={card} onClose={() => setIsDepositing(false)} />}
      {chosen !== undefined && (
        <StepDialog shown={shown} step={chosen} onClose={() => setChosen(undefined)} onReplaced={setReplacement} />
      )}
      {replacement !== undefined && (
        <SecretDialog
          title={t('replace')}
          secrets={[
            [t('cardNumber'), replacement.accountKey],
            ['cvc', replacement.cvc ?? ''],
          ]}
          onClose={() => setReplacement(undefined)}
        />
      )}
    </>
  );
}

function StepDialog(props: {
  readonly shown: GiftCardAnswer;
  readonly step: Step;
  readonly onClose: () => void;
  readonly onReplaced: (card: GiftCardReplacement) => void;
}) {
  const { shown, step, onClose, onReplaced } = props;
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [reason, setReason] = useState('');
  const [into, setInto] = useState('');
  const [transactionRef] = useState(() => `portal-${crypto.randomUUID()}`);
  const isMerge = step.word === 'merge';
  const submit = async () => {
    const body = {
      transactionRef,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(isMerge ? { into: into.trim() } : {}),
    };
    if (step.rel === 'replace-gift-card') onReplaced((await follow(shown, step.rel, { payeeId, body })).replacement);
    else await follow(shown, step.rel, { payeeId, body });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t(step.word)} submit={t(step.word)} danger onSubmit={submit} onClose={onClose}>
      <p>{t(step.text)}</p>
      {isMerge && <Field label={t('mergeInto')} value={into} onChange={setInto} isRequired autoFocus />}
      <Field label={`${t('reason')} (${t('optional')})`} value={reason} onChange={setReason} maxLength={255} />
    </FormDialog>
  );
}
