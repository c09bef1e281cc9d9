import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/words.tsx';
import { useSession } from './session.tsx';

/** Tells a user who has signed in of wrong codes that came with their password before, until they have read it. */
export function WrongCodes() {
  const { t, exact } = useWords();
  const { session } = useSession();
  const [isRead, setIsRead] = useState(false);
  if (isRead || session.wrongCodes === 0 || session.wrongCodesSince === null) return null;
  return (
    <div className="note" data-tone="warn" role="status">
      <strong>{t('wrongCodes', { count: session.wrongCodes })}</strong>
      <p>{t('wrongCodesText', { time: exact(session.wrongCodesSince) })}</p>
      <Button kind="quiet" onPress={() => setIsRead(true)}>
        {t('close')}
      </Button>
    </div>
  );
}
