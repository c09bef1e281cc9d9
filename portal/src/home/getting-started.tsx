import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { getGettingStarted } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { useWords } from '../words/words.tsx';

const STEPS = [
  { done: 'hasAccessToken', title: 'stepAccessToken', to: '/credentials' },
  { done: 'hasCall', title: 'stepCall', to: '/calls' },
  { done: 'hasPayment', title: 'stepPayment', to: '/payments' },
  { done: 'hasCapture', title: 'stepCapture', to: '/payments' },
  { done: 'hasWebhook', title: 'stepWebhook', to: '/webhooks' },
] as const;

/** The way to the first payment. Once all is done it is not shown any more. */
export function GettingStartedList() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { data } = useRead(getGettingStarted, { payeeId });
  if (data === undefined || STEPS.every(({ done }) => data[done])) return null;
  return (
    <section className="card">
      <h2>{t('gettingStarted')}</h2>
      <ul className="checklist">
        {STEPS.map(({ done, title, to }) => (
          <li key={done} data-done={data[done] || undefined}>
            {data[done] ? <CircleCheck size={18} aria-hidden /> : <Circle size={18} aria-hidden />}
            {data[done] ? <s>{t(title)}</s> : <Link to={to}>{t(title)}</Link>}
          </li>
        ))}
      </ul>
    </section>
  );
}
