import { useState } from 'react';
import type { Payee } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { createGiftCardProduct } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { AmountField, Checkbox, Field, SelectField } from '../parts/fields.tsx';
import { toMinor } from '../words/money.ts';
import { useWords } from '../words/words.tsx';

/** A product as it is being written down: texts as they were typed, amounts as people write them. */
interface Draft {
  readonly productId: string;
  readonly name: string;
  readonly currency: string;
  readonly numberPrefix: string;
  readonly numberLength: string;
  readonly validityMonths: string;
  readonly smallestAmount: number;
  readonly largestAmount: number;
  readonly largestBalance: number;
  readonly allowedProductIds: string;
  readonly cvcRequired: boolean;
  readonly isDefault: boolean;
}

const START: Draft = {
  productId: '',
  name: '',
  currency: 'NOK',
  numberPrefix: '',
  numberLength: '16',
  validityMonths: '24',
  smallestAmount: 1,
  largestAmount: 10_000,
  largestBalance: 20_000,
  allowedProductIds: '',
  cvcRequired: false,
  isDefault: false,
};

/** How long a card number may be, in digits. */
const LENGTHS = ['16', '17', '18', '19'];

interface CreateProductProps {
  readonly payeeId: string;
  /** Whose the product may be, where that is to be chosen. */
  readonly payees?: readonly Payee[];
  readonly onClose: () => void;
}

/** Creates a product by the API, for the payee that is named. */
export function CreateProduct({ payeeId, payees, onClose }: CreateProductProps) {
  const { t } = useWords();
  const reload = useReload();
  const [ownerId, setOwnerId] = useState(payeeId);
  const [draft, setDraft] = useState(START);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = async () => {
    await call(createGiftCardProduct, { payeeId: ownerId, body: bodyOf(draft) });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('createProduct')} submit={t('create')} onSubmit={submit} onClose={onClose} wide>
      {payees !== undefined && (
        <SelectField
          label={t('payee')}
          choices={payees.map(({ payeeId: id, name }) => ({ id, label: name }))}
          value={ownerId}
          onChange={setOwnerId}
        />
      )}
      <NameFields draft={draft} change={change} />
      <AmountFields draft={draft} change={change} />
      <Field
        label={`${t('allowedProducts')} (${t('optional')})`}
        help={t('allowedProductsHelp')}
        value={draft.allowedProductIds}
        onChange={(allowedProductIds) => change({ allowedProductIds })}
      />
      <Checkbox isSelected={draft.cvcRequired} onChange={(cvcRequired) => change({ cvcRequired })}>
        {t('cvcRequired')}
      </Checkbox>
      <Checkbox isSelected={draft.isDefault} onChange={(isDefault) => change({ isDefault })}>
        {t('isDefaultProduct')}
      </Checkbox>
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}

function NameFields({ draft, change }: FieldsProps) {
  const { t } = useWords();
  const field = (name: 'name' | 'productId' | 'currency' | 'numberPrefix' | 'validityMonths') => ({
    value: draft[name],
    onChange: (value: string) => change({ [name]: value }),
    isRequired: true,
  });
  return (
    <>
      <Field label={t('name')} {...field('name')} maxLength={100} autoFocus />
      <Field label={t('id')} {...field('productId')} pattern="[A-Za-z0-9._\-]{1,64}" />
      <Field label={t('currency')} {...field('currency')} pattern="[A-Z]{3}" />
      <Field label={t('numberPrefix')} help={t('numberPrefixHelp')} {...field('numberPrefix')} pattern="[0-9]{4,8}" />
      <SelectField
        label={t('numberLength')}
        choices={LENGTHS.map((id) => ({ id, label: id }))}
        value={draft.numberLength}
        onChange={(numberLength) => change({ numberLength })}
      />
      <Field label={t('validityInMonths')} {...field('validityMonths')} pattern="[0-9]{1,3}" inputMode="numeric" />
    </>
  );
}

function AmountFields({ draft, change }: FieldsProps) {
  const { t } = useWords();
  const { currency } = draft;
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  const amount = (name: 'smallestAmount' | 'largestAmount' | 'largestBalance') => ({
    currency,
    value: draft[name],
    onChange: (value: number) => change({ [name]: value }),
  });
  return (
    <>
      <AmountField label={t('smallestAmount')} {...amount('smallestAmount')} />
      <AmountField label={t('largestAmount')} {...amount('largestAmount')} />
      <AmountField label={t('largestBalance')} {...amount('largestBalance')} />
    </>
  );
}

/** What the API is told. */
function bodyOf(draft: Draft) {
  const { currency } = draft;
  return {
    ...draft,
    numberLength: Number(draft.numberLength),
    validityMonths: Number(draft.validityMonths),
    smallestAmount: toMinor(draft.smallestAmount, currency),
    largestAmount: toMinor(draft.largestAmount, currency),
    largestBalance: toMinor(draft.largestBalance, currency),
    allowedProductIds: draft.allowedProductIds.split(/\s+/).filter((id) => id !== ''),
  };
}
