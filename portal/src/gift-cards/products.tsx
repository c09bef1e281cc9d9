import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { GiftCardProduct } from '../../../client/kontor.generated.ts';
import { follow, offers } from '../api/call.ts';
import { listGiftCardProducts } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { CreateProduct } from './create-product.tsx';
import { ProductBadge } from './product-badge.tsx';
import { Sweep } from './sweep.tsx';
import { ValueLimits } from './value-limits.tsx';

/** The products that cards are made of. */
export function Products() {
  const { t, money } = useWords();
  const { payeeId, can } = useSession();
  const { data, error } = useRead(listGiftCardProducts, { payeeId });
  const [isCreating, setIsCreating] = useState(false);
  const [swept, setSwept] = useState<GiftCardProduct>();
  const [retired, setRetired] = useState<GiftCardProduct>();
  return (
    <>
      {offers(data, 'create-product') && (
        <div className="actions">
          <Button icon={<Plus size={16} aria-hidden />} onPress={() => setIsCreating(true)}>
            {t('createProduct')}
          </Button>
        </div>
      )}
      <Table
        label={t('products')}
        rows={data?.products}
        error={error}
        rowKey={({ productId }) => productId}
        empty={<Empty title={t('noProducts')} text={t('noProductsText')} />}
        columns={[
          { title: t('name'), cell: ({ name, isDefault }) => <strong>{isDefault ? `${name} ★` : name}</strong> },
          { title: t('id'), cell: ({ productId }) => <span className="mono reference">{productId}</span> },
          {
            title: t('state'),
            cell: ({ state }) => <ProductBadge state={state} />,
          },
          { title: t('validity'), cell: ({ validityMonths }) => t('months', { count: validityMonths }) },
          {
            title: t('amount'),
            align: 'end',
            cell: ({ smallestAmount, largestAmount, currency }) =>
              `${money(smallestAmount, currency)} – ${money(largestAmount, currency)}`,
          },
          { title: t('valueLimits'), cell: (product) => <ValueLimits product={product} /> },
          {
            title: t('actions'),
            align: 'end',
            cell: (product) => (
              <span className="actions">
                {can('sweepGiftCards') && (
                  <Button small onPress={() => setSwept(product)} aria-label={`${t('sweep')} ${product.name}`}>
                    {t('sweep')}
                  </Button>
                )}
                {offers(product, 'retire-product') && (
                  <Button small onPress={() => setRetired(product)} aria-label={`${t('retire')} ${product.name}`}>
                    {t('retire')}
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      {isCreating && <CreateProduct payeeId={payeeId} onClose={() => setIsCreating(false)} />}
      {swept !== undefined && <Sweep product={swept} onClose={() => setSwept(undefined)} />}
      {retired !== undefined && (
        <Confirm
          title={t('retire')}
          text={t('retireText', { name: retired.name })}
          submit={t('retire')}
          act={() => follow(retired, 'retire-product', { payeeId })}
          onClose={() => setRetired(undefined)}
        />
      )}
    </>
  );
}
