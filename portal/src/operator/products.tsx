import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ListedProduct, Payee } from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { searchProducts } from '../api/operations.generated.ts';
import { usePayees } from '../api/queries.ts';
import { CreateProduct } from '../gift-cards/create-product.tsx';
import { ProductBadge } from '../gift-cards/product-badge.tsx';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

const ALL = 'all';
const COMMAND = 'kontor gift-card-products create --payee ID --name "Gift card" --currency NOK --prefix 95782';

/** The gift-card products of all payees, or of one. */
export function AllProducts() {
  const { t, money } = useWords();
  const { payeeId, state } = useSearch({ from: '/gate/operator' });
  const { data } = usePayees();
  const payees = data?.payees ?? [];
  const list = useList(searchProducts, { query: { payeeId, state } });
  return (
    <div>
      <ProductFilters payees={payees} />
      <Table
        label={t('products')}
        rows={list.rows}
        error={list.error}
        rowKey={(product) => `${product.payeeId} ${product.productId}`}
        empty={<Empty title={t('noProducts')} text={t('noProductsText')} curl={COMMAND} />}
        foot={<ListFoot list={list} />}
        columns={[
          { title: t('name'), cell: (product) => <ProductLink product={product} /> },
          { title: t('payee'), cell: ({ payeeName }) => payeeName },
          { title: t('id'), cell: ({ productId }) => <span className="mono reference">{productId}</span> },
          { title: t('state'), cell: ({ state: now }) => <ProductBadge state={now} /> },
          { title: t('firstDigits'), cell: ({ numberPrefix }) => <span className="mono">{numberPrefix}</span> },
          { title: t('validity'), align: 'end', cell: ({ validityMonths }) => t('months', { count: validityMonths }) },
          {
            title: t('largestBalance'),
            align: 'end',
            cell: ({ largestBalance, currency }) => money(largestBalance, currency),
          },
        ]}
      />
    </div>
  );
}

function ProductLink({ product }: { readonly product: ListedProduct }) {
  const { payeeId, productId, name, isDefault } = product;
  return (
    <Link to="/operator/$payeeId/$productId" params={{ payeeId, productId }} className="row-link">
      {isDefault ? `${name} ★` : name}
    </Link>
  );
}

function ProductFilters({ payees }: { readonly payees: readonly Payee[] }) {
  const { t } = useWords();
  const { payeeId, state } = useSearch({ from: '/gate/operator' });
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const show = (filters: { payeeId?: string | undefined; state?: string | undefined }) => {
    const wanted = { payeeId, state, ...filters };
    const set = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== ALL);
    void navigate({ to: '/operator', search: { tab: 'products', ...Object.fromEntries(set) }, replace: true });
  };
  const owner = payeeId ?? payees[0]?.payeeId;
  return (
    <div className="filters">
      <SelectField
        label={t('payee')}
        choices={[{ id: ALL, label: t('allPayees') }, ...payees.map(({ payeeId: id, name }) => ({ id, label: name }))]}
        value={payeeId ?? ALL}
        onChange={(id) => show({ payeeId: id })}
      />
      <SelectField
        label={t('state')}
        choices={[
          { id: ALL, label: t('all') },
          { id: 'OnSale', label: t('onSale') },
          { id: 'Retired', label: t('retired') },
        ]}
        value={state ?? ALL}
        onChange={(id) => show({ state: id })}
      />
      {owner !== undefined && (
        <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setIsCreating(true)}>
          {t('createProduct')}
        </Button>
      )}
      {isCreating && owner !== undefined && (
        <CreateProduct payeeId={owner} payees={payees} onClose={() => setIsCreating(false)} />
      )}
    </div>
  );
}
