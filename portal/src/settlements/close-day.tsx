import { useState } from 'react';
import { call } from '../api/call.ts';
import { closeSettlementDay } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { atNoon, dayIn } from '../parts/days.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useNotice } from '../parts/notice.tsx';
import { useWords } from '../words/words.tsx';

const DAY_MS = 86_400_000;

/** Closes a business day before the service does it by itself; yesterday, where no other is chosen. */
export function CloseDay({ onClose }: { readonly onClose: () => void }) {
  const { t, day } = useWords();
  const { payeeId, timeZone } = useSession();
  const reload = useReload();
  const notify = useNotice();
  const [chosen, setChosen] = useState(() => dayIn(timeZone, Date.now() - DAY_MS));
  const submit = async () => {
    const { closed } = await call(closeSettlementDay, { payeeId, day: chosen });
    const shown = day(atNoon(chosen));
    notify(closed === 0 ? t('noOpenDay', { day: shown }) : t('isDone', { what: `${t('closeDay')}, ${shown}` }));
    await reload();
    return undefined;
  };
  return (
    <FormDialog
      title={t('closeDay')}
      submit={t('closeDay')}
      danger
      isReady={chosen !== ''}
      onSubmit={submit}
      done={null}
      onClose={onClose}
    >
      <Field label={t('businessDay')} type="date" value={chosen} onChange={setChosen} isRequired autoFocus />
      <p>{t('closeDayText')}</p>
    </FormDialog>
  );
}
