import type { List } from '../api/lists.ts';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';

/** Below a list: how many are shown, how far it was searched in its order, and the way to more. */
export function ListFoot({ list }: { readonly list: List<unknown> }) {
  const { t, exact } = useWords();
  if (list.rows === undefined || (list.rows.length === 0 && !list.hasMore)) return null;
  return (
    <div className="table-foot">
      <span aria-live="polite">
        {t('shown', { count: list.rows.length })}
        {list.hasMore && list.searchedTo !== null && ` · ${t('searchedTo', { time: exact(list.searchedTo) })}`}
      </span>
      {list.hasMore && (
        <Button onPress={list.loadMore} isDisabled={list.isLoadingMore}>
          {list.isLoadingMore ? t('working') : t('more')}
        </Button>
      )}
    </div>
  );
}
