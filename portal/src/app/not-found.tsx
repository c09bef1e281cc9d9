import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { useWords } from '../words/words.tsx';

/** An address of the portal that leads nowhere. */
export function NotFound() {
  const { t } = useWords();
  return (
    <Page title={t('notHere')} text={t('notHereText')}>
      <Link to="/" className="button">
        {t('home')}
      </Link>
    </Page>
  );
}
