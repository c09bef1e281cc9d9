import type { GiftCardProduct } from '../../../client/kontor.generated.ts';
import { Badge } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';

/** Whether cards of the product can be issued. */
export function ProductBadge({ state }: Pick<GiftCardProduct, 'state'>) {
  const { t } = useWords();
  return state === 'OnSale' ? <Badge tone="good">{t('onSale')}</Badge> : <Badge>{t('retired')}</Badge>;
}
