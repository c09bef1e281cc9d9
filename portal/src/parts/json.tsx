import { useWords } from '../words/words.tsx';
import { Code } from './copyable.tsx';

/** The object as the API tells it, folded away. */
export function Json({ value }: { readonly value: unknown }) {
  const { t } = useWords();
  return (
    <details>
      <summary>{t('showRaw')}</summary>
      <Code text={JSON.stringify(value, undefined, 2)} label="JSON" />
    </details>
  );
}
