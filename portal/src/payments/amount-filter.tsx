import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/fields.tsx';
import { readAmount } from '../words/money.ts';
import { useWords } from '../words/words.tsx';
import type { AmountFilters } from './filters.ts';

interface AmountFilterProps {
  readonly filters: AmountFilters;
  readonly onChange: (amounts: Required<AmountFilters>) => void;
}

/** Amounts from and to, and what they are in, which the person says: how many decimals they have is the currency's. */
export function AmountFilter({ filters, onChange }: AmountFilterProps) {
  const { t } = useWords();
  const [amountFrom, setAmountFrom] = useState(filters.amountFrom ?? '');
  const [amountTo, setAmountTo] = useState(filters.amountTo ?? '');
  const [currency, setCurrency] = useState(filters.currency ?? '');
  useEffect(() => {
    setAmountFrom(filters.amountFrom ?? '');
    setAmountTo(filters.amountTo ?? '');
    setCurrency(filters.currency ?? '');
  }, [filters.amountFrom, filters.amountTo, filters.currency]);
  const lacksCurrency = currency === '' && (amountFrom !== '' || amountTo !== '');
  const isWrong = (text: string) => text !== '' && currency !== '' && readAmount(text, currency) === undefined;
  const isAnyWrong = isWrong(amountFrom) || isWrong(amountTo);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (!isAnyWrong && !lacksCurrency) onChange({ amountFrom, amountTo, currency });
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
        value={currency}
        onChange={(text) => setCurrency(text.toUpperCase())}
        isInvalid={lacksCurrency}
        maxLength={3}
        pattern="[A-Z]{3}"
        autoComplete="off"
        className="field field-code"
      />
      <Button type="submit" isDisabled={isAnyWrong || lacksCurrency}>
        {t('apply')}
      </Button>
      {(isAnyWrong || lacksCurrency) && (
        <p className="filter-wrong" role="status">
          {lacksCurrency ? t('whichCurrency') : t('wrongAmount', { currency })}
        </p>
      )}
    </form>
  );
}
