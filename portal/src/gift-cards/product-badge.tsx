import { Badge } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';
import type { Product } from './product.types.ts';

/** Whether cards of the product can be issued. */
export function ProductBadge({ state }: Pick<Product, 'state'>) {
  const { t } = useWords();
  return state === 'OnSale' ? <Badge tone="good">{t('onSale')}</Badge> : <Badge>{t('retired')}</Badge>;
}
