import { Type } from 'typebox';

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const WholeOrNull = Type.Union([Type.Integer(), Type.Null()]);

const OrderSetting = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['flag', 'number', 'amount', 'choice'], {
      description: 'amount: a whole number in the smallest unit of whatever currency an order is in',
    }),
    own: TextOrNull("The payee's own value; null: the default holds"),
    standard: TextOrNull('The default; null: it follows from what the payee has'),
    least: WholeOrNull,
    most: WholeOrNull,
    choices: Type.Array(Type.String()),
  },
  { $id: 'OrderSetting' },
);

export const OrderSettingsAnswer = Type.Object({ settings: Type.Array(OrderSetting) });

/** Characters of the name of a setting, and of its value: more than the longest. */
const SETTING_CHARACTERS = 40;
/** Changes of one request: more than there are settings. */
const SETTING_CHANGES = 20;

export const OrderSettingsBody = Type.Object({
  changes: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: SETTING_CHARACTERS }),
      value: Type.String({
        maxLength: SETTING_CHARACTERS,
        description: 'true or false, a number, one of the choices, or default',
      }),
    }),
    { maxItems: SETTING_CHANGES },
  ),
});
