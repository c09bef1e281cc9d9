import { Plus } from 'lucide-react';
import { useState } from 'react';
import { operationOf, request } from '../api/public-api.ts';
import { usePublic } from '../api/use-public.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { CreateProduct } from './create-product.tsx';
import { PRODUCTS, type Product, type ProductList } from './product.types.ts';
import { ProductBadge } from './product-badge.tsx';

/** The products that cards are made of. */
export function Products() {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const { data, error } = usePublic<ProductList>(PRODUCTS);
  const [isCreating, setIsCreating] = useState(false);
  const [retired, setRetired] = useState<Product>();
  const create = operationOf(data?.operations, 'create-product');
  const retire = operationOf(retired?.operations, 'retire-product');
  return (
    <>
      {create !== undefined && (
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
          { title: t('id'), cell: ({ productId }) => <span className="mono">{productId}</span> },
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
          {
            title: t('actions'),
            align: 'end',
            cell: (product) =>
              operationOf(product.operations, 'retire-product') !== undefined && (
                <Button small onPress={() => setRetired(product)} aria-label={`${t('retire')} ${product.name}`}>
                  {t('retire')}
                </Button>
              ),
          },
        ]}
      />
      {isCreating && <CreateProduct payeeId={payeeId} onClose={() => setIsCreating(false)} />}
      {retired !== undefined && retire !== undefined && (
        <Confirm
          title={t('retire')}
          text={t('retireText', { name: retired.name })}
          submit={t('retire')}
          act={() => request({ payeeId, method: 'POST', href: retire.href, body: {} })}
          onClose={() => setRetired(undefined)}
        />
      )}
    </>
  );
}
