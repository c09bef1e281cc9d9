import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/fields.tsx';
import { readAmount } from '../words/money.ts';
import { useWords } from '../words/words.tsx';
import type { AmountFilters } from './filters.ts';

interface AmountFilterProps {
  readonly filters: AmountFilters;
  readonly onChange: (amounts: Required<AmountFilters>) => void;
  /** What amounts are meant in, where the filters do not say. */
  readonly currency: string;
}

/** Amounts from and to, and what they are in: how many decimals they have is the currency's. */
export function AmountFilter({ filters, onChange, currency: meant }: AmountFilterProps) {
  const { t } = useWords();
  const [amountFrom, setAmountFrom] = useState(filters.amountFrom ?? '');
  const [amountTo, setAmountTo] = useState(filters.amountTo ?? '');
  const [typed, setTyped] = useState(filters.currency ?? '');
  useEffect(() => {
    setAmountFrom(filters.amountFrom ?? '');
    setAmountTo(filters.amountTo ?? '');
    setTyped(filters.currency ?? '');
  }, [filters.amountFrom, filters.amountTo, filters.currency]);
  const hasAmount = amountFrom !== '' || amountTo !== '';
  const currency = typed === '' && hasAmount ? meant : typed;
  const isWrong = (text: string) => text !== '' && readAmount(text, currency) === undefined;
  const isAnyWrong = isWrong(amountFrom) || isWrong(amountTo);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (!isAnyWrong) onChange({ amountFrom, amountTo, currency });
  };
  return (
    <form className="filter-group" onSubmit={apply}>
      <Field
        label={t('amountFrom')}
        inputMode="decimal"
        value={amountFrom}
        onChange={setAmountFrom}
        isInvalid={isWrong(amountFrom)}
      />
      <Field
        label={t('amountTo')}
        inputMode="decimal"
        value={amountTo}
        onChange={setAmountTo}
        isInvalid={isWrong(amountTo)}
      />
      <Field
        label={t('currency')}
        value={typed}
        onChange={(text) => setTyped(text.toUpperCase())}
        placeholder={meant}
        maxLength={3}
        pattern="[A-Z]{3}"
        autoComplete="off"
        className="field field-code"
      />
      <Button type="submit" isDisabled={isAnyWrong}>
        {t('apply')}
      </Button>
      {isAnyWrong && (
        <p className="filter-wrong" role="status">
          {t('wrongAmount', { currency })}
        </p>
      )}
    </form>
  );
}
