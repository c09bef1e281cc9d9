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
import { useWords } from '../words/words.tsx';

/** What a payee has settled about its payment orders. */
export function OrderSettingsPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { data, error } = useRead(getOrderSettings, { payeeId });
  return (
    <Page title={t('orderSettings')} text={t('orderSettingsText')}>
      <ProblemNote error={error} />
      {data === undefined && error === null && <SkeletonLines />}
      {data !== undefined && <SettingsForm key={JSON.stringify(data)} settings={data.settings} />}
    </Page>
  );
}

/** How people write that the default holds. */
const DEFAULT = 'default';

function SettingsForm({ settings }: { readonly settings: readonly OrderSetting[] }) {
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
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
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
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function SettingField({ setting, value, onChange }: SettingFieldProps) {
  const { t, named } = useWords();
  const { name, kind, standard, least, most, choices } = setting;
  const worded = useWorded();
  const byDefault = t('settingDefault', { value: standard === null ? t('settingWhereGiftCards') : worded(standard) });
  const label = named('detail', name);
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
