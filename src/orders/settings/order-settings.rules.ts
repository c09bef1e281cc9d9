import { inputError } from '../../kit/errors.ts';
import { LARGEST_AMOUNT_MINOR } from '../../kit/money.ts';
import type { OrderSettings, OwnOrderSettings } from '../orders.types.ts';

/** The name of a setting, as people write it. */
export type SettingName = keyof OrderSettings;

/** How people write that a setting has its default again. */
export const DEFAULT_WRITTEN = 'default';

/** A setting: its values, and the one of a payee that has set nothing. */
export type Setting<Value = unknown> =
  | { readonly kind: 'flag'; readonly standard: Value }
  /** Whole numbers; an amount is in the smallest unit of whatever currency an order is in. */
  | { readonly kind: 'number' | 'amount'; readonly standard: Value; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly standard: Value; readonly choices: readonly string[] };

const LEG_ORDERS = ['GiftCardsFirst', 'CardFirst'];

/** Every setting of a payee about its orders. The ranges are also constraints of the table. */
export const ORDER_SETTINGS: { readonly [Name in SettingName]: Setting<OrderSettings[Name]> } = {
  // Undefined: on where the payee has a product or stored-value account in the order's currency.
  giftCardsOnPage: { kind: 'flag', standard: undefined },
  giftCardsBuyGiftCards: { kind: 'flag', standard: false },
  holdMinutes: { kind: 'number', standard: 15, least: 5, most: 60 },
  orderHoldDays: { kind: 'number', standard: 7, least: 1, most: 180 },
  unpaidHours: { kind: 'number', standard: 28 * 24, least: 1, most: 28 * 24 },
  smallestCardAmount: {
    kind: 'amount',
    standard: 1 as OrderSettings['smallestCardAmount'],
    least: 1,
    most: LARGEST_AMOUNT_MINOR,
  },
  captureOrder: { kind: 'choice', standard: 'GiftCardsFirst', choices: LEG_ORDERS },
  reversalOrder: { kind: 'choice', standard: 'CardFirst', choices: LEG_ORDERS },
};

/** The names of all settings, in the order in which lists show them. */
export const SETTING_NAMES = Object.keys(ORDER_SETTINGS) as readonly SettingName[];

/** The settings that hold for a payee: its own, and the defaults of the rest. */
export function effectiveSettings(own: OwnOrderSettings | undefined): OrderSettings {
  const effective = SETTING_NAMES.map((name) => [name, own?.[name] ?? ORDER_SETTINGS[name].standard]);
  return Object.fromEntries(effective) as unknown as OrderSettings;
}

/**
 * A setting's value as people write it: `true` and `false` of a flag; `default`, which is null, of all.
 *
 * @throws Refusal `inputerror` for a name that there is no setting of, or a value that is none of its values
 */
export function readSetting(name: string, text: string): OwnOrderSettings {
  if (!isSettingName(name)) throw inputError('settings', `must be among ${SETTING_NAMES.join(', ')}`);
  if (text === DEFAULT_WRITTEN) return { [name]: null };
  const value = readValue(ORDER_SETTINGS[name], text);
  if (value === undefined) throw inputError(name, `must be ${valuesOf(name)}, or ${DEFAULT_WRITTEN}`);
  return { [name]: value };
}

/** What a setting may be, in words: `a whole number from 5 to 60`. */
export function valuesOf(name: SettingName): string {
  const setting = ORDER_SETTINGS[name];
  if (setting.kind === 'flag') return 'true or false';
  if (setting.kind === 'choice') return setting.choices.join(' or ');
  return `a whole number from ${setting.least} to ${setting.most}`;
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(ORDER_SETTINGS, name);
}

function readValue(setting: Setting, text: string): string | number | boolean | undefined {
  if (setting.kind === 'flag') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (setting.kind === 'choice') return setting.choices.includes(text) ? text : undefined;
  const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  return number >= setting.least && number <= setting.most ? number : undefined;
}

/** A setting with what holds for a payee, all values as people write them. */
export interface ShownSetting {
  readonly name: SettingName;
  readonly kind: Setting['kind'];
  /** The payee's own value; null: the default holds. */
  readonly own: string | null;
  /** Null: it follows from what the payee has. */
  readonly standard: string | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly choices: readonly string[];
}

/** Every setting with what holds for a payee. */
export function shownSettings(own: OwnOrderSettings | undefined): ShownSetting[] {
  return SETTING_NAMES.map((name) => {
    const setting = ORDER_SETTINGS[name];
    const isNumber = setting.kind === 'number' || setting.kind === 'amount';
    return {
      name,
      kind: setting.kind,
      own: written(own?.[name]),
      standard: written(setting.standard),
      least: isNumber ? setting.least : null,
      most: isNumber ? setting.most : null,
      choices: setting.kind === 'choice' ? setting.choices : [],
    };
  });
}

const written = (value: unknown): string | null => (value === undefined || value === null ? null : String(value));
