import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/call.ts';
import { setTimeZone } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/fields.tsx';
import { useNotice } from '../parts/notice.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useWords } from '../words/words.tsx';

/** Time zones that this browser knows, UTC among them, and the one that is set. */
const zonesWith = (set: string): readonly string[] =>
  [...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone')])].sort();

/** Where the payee's days begin. */
export function TimeZoneForm() {
  const { t } = useWords();
  const { payeeId, timeZone } = useSession();
  const client = useQueryClient();
  const notify = useNotice();
  const [wanted, setWanted] = useState(timeZone);
  const [error, setError] = useState<unknown>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    try {
      await call(setTimeZone, { payeeId, body: { timeZone: wanted } });
      notify(t('isDone', { what: t('save') }));
      // The session says it, and all that is shown is by its days.
      await client.invalidateQueries();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form className="card stack-small" onSubmit={(event) => void save(event)}>
      <h2>{t('daysTitle')}</h2>
      <p className="soft">{t('timeZoneText')}</p>
      <SelectField
        label={t('timeZone')}
        choices={zonesWith(timeZone).map((id) => ({ id, label: id.replaceAll('_', ' ') }))}
        value={wanted}
        onChange={setWanted}
      />
      <ProblemNote error={error} />
      <div className="actions">
        <Button type="submit" kind="primary" isDisabled={wanted === timeZone}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
