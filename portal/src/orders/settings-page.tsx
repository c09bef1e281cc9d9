import { type FormEvent, useState } from 'react';
import type { OrderSetting } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { changeOrderSettings, getOrderSettings } from '../api/operations.generated.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { useNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { decimalsOf, readAmount } from '../words/money.ts';
import { useWords } from '../words/words.tsx';
import { useMeantCurrency } from './meant-currency.ts';
import { TimeZoneForm } from './time-zone.tsx';

/** What a payee has settled about its payment orders. */
export function OrderSettingsPage() {
  const { t } = useWords();
  const { payeeId, can, timeZone } = useSession();
  const { data, error } = useRead(getOrderSettings, { payeeId });
  const currency = useMeantCurrency(payeeId);
  const isRead = data !== undefined && currency !== undefined;
  return (
    <Page title={t('orderSettings')} text={t('orderSettingsText')}>
      <ProblemNote error={error} />
      {!isRead && error === null && <SkeletonLines />}
      <div className="stack">
        {isRead && <SettingsForm key={JSON.stringify(data)} settings={data.settings} currency={currency} />}
        {can('setTimeZone') && <TimeZoneForm key={`${payeeId} ${timeZone}`} />}
      </div>
    </Page>
  );
}

/** How people write that the default holds. */
const DEFAULT = 'default';

interface SettingsFormProps {
  readonly settings: readonly OrderSetting[];
  /** What amounts are shown in. */
  readonly currency: string;
}

function SettingsForm({ settings, currency }: SettingsFormProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const notify = useNotice();
  const [values, setValues] = useState(() => new Map(settings.map(({ name, own }) => [name, own ?? DEFAULT])));
  const [error, setError] = useState<unknown>();
  const changes = settings
    .map(({ name, own }) => ({ name, value: values.get(name) || DEFAULT, before: own ?? DEFAULT }))
    .filter(({ value, before }) => value !== before)
    .map(({ name, value }) => ({ name, value }));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    try {
      await call(changeOrderSettings, { payeeId, body: { changes } });
      notify(t('isDone', { what: t('save') }));
      await reload();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form className="card stack-small" onSubmit={(event) => void save(event)}>
      <h2>{t('orders')}</h2>
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          currency={currency}
          value={values.get(setting.name) ?? DEFAULT}
          onChange={(value) => setValues((before) => new Map(before).set(setting.name, value))}
        />
      ))}
      <ProblemNote error={error} />
      <div className="actions">
        <Button type="submit" kind="primary" isDisabled={changes.length === 0}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

interface SettingFieldProps {
  readonly setting: OrderSetting;
  readonly currency: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function SettingField(props: SettingFieldProps) {
  const { setting, value, onChange } = props;
  const { t, named } = useWords();
  const { name, kind, standard, least, most, choices } = setting;
  const worded = useWorded();
  const byDefault = t('settingDefault', { value: standard === null ? t('settingWhereGiftCards') : worded(standard) });
  const label = named('detail', name);
  if (kind === 'amount') return <AmountSetting {...props} />;
  if (kind !== 'number') {
    const ids = [DEFAULT, ...(kind === 'flag' ? ['true', 'false'] : choices)];
    return (
      <SelectField
        label={label}
        value={value}
        onChange={onChange}
        choices={ids.map((id) => ({ id, label: id === DEFAULT ? byDefault : worded(id) }))}
      />
    );
  }
  const isWrong = value !== DEFAULT && value !== '' && !isWithin(value, least ?? 0, most ?? Number.MAX_SAFE_INTEGER);
  return (
    <Field
      label={label}
      help={`${least}–${most} · ${byDefault}`}
      inputMode="numeric"
      value={value === DEFAULT ? '' : value}
      onChange={(text) => onChange(text.trim() === '' ? DEFAULT : text.trim())}
      placeholder={standard ?? ''}
      isInvalid={isWrong}
      maxLength={12}
    />
  );
}

/**
 * An amount, as people write it in one currency. Kontor keeps the number of smallest units, which holds for orders in each
 * currency: the help says what it is in one that has no decimals.
 */
function AmountSetting({ setting, currency, value, onChange }: SettingFieldProps) {
  const { t, money, written } = useWords();
  const { standard, least, most } = setting;
  const [text, setText] = useState(() => (value === DEFAULT ? '' : written(Number(value), currency)));
  const shown = value === DEFAULT ? (standard ?? '1') : value;
  const isWrong = value !== DEFAULT && !isWithin(value, least ?? 0, most ?? Number.MAX_SAFE_INTEGER);
  const byDefault = t('settingDefault', { value: money(Number(standard), currency) });
  const other = decimalsOf(currency) === 0 ? 'EUR' : 'JPY';
  const elsewhere = t('settingElsewhere', { amount: isWrong ? '–' : money(Number(shown), other), currency: other });
  const change = (typed: string) => {
    setText(typed);
    // What cannot be read stays as it is typed, which is no value.
    onChange(typed.trim() === '' ? DEFAULT : String(readAmount(typed, currency) ?? typed));
  };
  return (
    <Field
      label={`${t('settingSmallestCard')} (${currency})`}
      help={`${byDefault} · ${elsewhere}`}
      inputMode="decimal"
      value={text}
      onChange={change}
      placeholder={written(Number(standard), currency)}
      fault={isWrong ? t('wrongAmount', { currency }) : undefined}
      maxLength={20}
    />
  );
}

const isWithin = (text: string, least: number, most: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;

/** The words of a value. */
function useWorded(): (value: string) => string {
  const { t } = useWords();
  return (value) => {
    if (value === 'true' || value === 'false') return t(value === 'true' ? 'yes' : 'no');
    if (value !== 'GiftCardsFirst' && value !== 'CardFirst') return value;
    return t(value === 'GiftCardsFirst' ? 'giftCardsFirst' : 'cardFirst');
  };
}
