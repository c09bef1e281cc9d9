import { Plus } from 'lucide-react';
import { useState } from 'react';
import { operationOf, request } from '../api/public-api.ts';
import { usePublic } from '../api/use-public.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm, useReload } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { AmountField, Checkbox, Field } from '../parts/fields.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { toMinor } from '../words/money.ts';
import { useWords } from '../words/words.tsx';
import { PRODUCTS, type Product, type ProductList } from './product.types.ts';

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
            cell: ({ state }) =>
              state === 'OnSale' ? <Badge tone="good">{t('onSale')}</Badge> : <Badge>{t('retired')}</Badge>,
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
      {isCreating && <CreateProduct onClose={() => setIsCreating(false)} />}
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

function CreateProduct({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [text, setText] = useState({
    productId: '',
    name: '',
    currency: 'NOK',
    numberPrefix: '',
    validityMonths: '24',
  });
  const [amounts, setAmounts] = useState({ smallestAmount: 1, largestAmount: 10_000, largestBalance: 20_000 });
  const [isDefault, setIsDefault] = useState(false);
  const field = (name: keyof typeof text) => ({
    value: text[name],
    onChange: (value: string) => setText({ ...text, [name]: value }),
    isRequired: true,
  });
  const amount = (name: keyof typeof amounts) => ({
    currency: text.currency,
    value: amounts[name],
    onChange: (value: number) => setAmounts({ ...amounts, [name]: value }),
  });
  const submit = async () => {
    const body = {
      ...text,
      validityMonths: Number(text.validityMonths),
      numberLength: 16,
      smallestAmount: toMinor(amounts.smallestAmount, text.currency),
      largestAmount: toMinor(amounts.largestAmount, text.currency),
      largestBalance: toMinor(amounts.largestBalance, text.currency),
      isDefault,
    };
    await request({ payeeId, method: 'POST', href: PRODUCTS, body });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('createProduct')} submit={t('create')} onSubmit={submit} onClose={onClose} wide>
      <Field label={t('name')} {...field('name')} maxLength={100} autoFocus />
      <Field label={t('id')} {...field('productId')} pattern="[A-Za-z0-9._\-]{1,64}" />
      <Field label={t('currency')} {...field('currency')} pattern="[A-Z]{3}" />
      <Field label={t('numberPrefix')} help={t('numberPrefixHelp')} {...field('numberPrefix')} pattern="[0-9]{4,8}" />
      <Field label={t('validityInMonths')} {...field('validityMonths')} pattern="[0-9]{1,3}" inputMode="numeric" />
      {/^[A-Z]{3}$/.test(text.currency) && (
        <>
          <AmountField label={t('smallestAmount')} {...amount('smallestAmount')} />
          <AmountField label={t('largestAmount')} {...amount('largestAmount')} />
          <AmountField label={t('largestBalance')} {...amount('largestBalance')} />
        </>
      )}
      <Checkbox isSelected={isDefault} onChange={setIsDefault}>
        {t('isDefaultProduct')}
      </Checkbox>
    </FormDialog>
  );
}
