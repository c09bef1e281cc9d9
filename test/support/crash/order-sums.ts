// What must hold of every answer about an order, at whatever moment.

/** What an order's answer says that must add up. */
export interface SeenOrder {
  readonly status: string;
  readonly amount: number;
  readonly remainingCaptureAmount?: number;
  readonly remainingReversalAmount?: number;
  readonly legs?: readonly {
    readonly amount: number;
    readonly capturedAmount: number;
    readonly cancelledAmount: number;
    readonly reversedAmount: number;
  }[];
  readonly financialTransactions: {
    readonly financialTransactionsList: readonly {
      readonly type: string;
      readonly amount: number;
      readonly parts: readonly { readonly amount: number }[];
    }[];
  };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** What does not add up in an answer. */
export function refuteSnapshot(order: SeenOrder): string[] {
  const { status, amount, legs = [], financialTransactions } = order;
  const list = financialTransactions.financialTransactionsList;
  const isPaid = ['Paid', 'Cancelled', 'Reversed'].includes(status);
  const moved = (...types: readonly string[]) =>
    sumOf(list.filter(({ type }) => types.includes(type)).map((transaction) => transaction.amount));
  const [captured, cancelled, reversed] = (['capturedAmount', 'cancelledAmount', 'reversedAmount'] as const).map(
    (member) => sumOf(legs.map((leg) => leg[member])),
  ) as [number, number, number];
  const checks: readonly (readonly [what: string, is: number, shouldBe: number])[] = [
    ['legs', sumOf(legs.map((leg) => leg.amount)), amount],
    ['authorized', moved('Authorization', 'Sale'), amount],
    ['captured', captured, moved('Sale', 'Capture')],
    ['cancelled', cancelled, moved('Cancellation')],
    ['reversed', reversed, moved('Reversal')],
    // More is never offered than is left; less while an issuer is being asked.
    ['too much to capture', Math.max(0, (order.remainingCaptureAmount ?? 0) - (amount - captured - cancelled)), 0],
    ['too much to reverse', Math.max(0, (order.remainingReversalAmount ?? 0) - (captured - reversed)), 0],
    ...list.map((one) => [`parts of ${one.type}`, sumOf(one.parts.map((part) => part.amount)), one.amount] as const),
  ];
  const beyond = legs.flatMap(({ amount: of, capturedAmount, cancelledAmount, reversedAmount }, index) =>
    capturedAmount + cancelledAmount > of || reversedAmount > capturedAmount
      ? [
          `leg ${index + 1} of ${of}: captured ${capturedAmount}, cancelled ${cancelledAmount}, reversed ${reversedAmount}`,
        ]
      : [],
  );
  if (beyond.length > 0) return beyond;
  if (!isPaid) return list.length === 0 ? [] : [`it is ${status}, and has ${list.map(({ type }) => type)}`];
  return checks.flatMap(([what, is, shouldBe]) => (is === shouldBe ? [] : [`${what}: ${is}, not ${shouldBe}`]));
}

/** What does not add up of a paid order of which nothing is under way: what remains of it is what remains of its legs. */
export function refuteRest(order: SeenOrder): string[] {
  const { legs = [], remainingCaptureAmount = 0, remainingReversalAmount = 0 } = order;
  const left = sumOf(legs.map((leg) => leg.amount - leg.capturedAmount - leg.cancelledAmount));
  const back = sumOf(legs.map((leg) => leg.capturedAmount - leg.reversedAmount));
  return left === remainingCaptureAmount && back === remainingReversalAmount
    ? []
    : [`${remainingCaptureAmount} and ${remainingReversalAmount} remain, of legs ${left} and ${back}`];
}

/** What an order keeps that has given all back: of each leg as much was returned as was captured of it. */
export function refuteEnd({ legs = [] }: Pick<SeenOrder, 'legs'>): string[] {
  return legs.flatMap(({ capturedAmount, reversedAmount }, index) =>
    reversedAmount === capturedAmount
      ? []
      : [`leg ${index + 1}: captured ${capturedAmount}, returned ${reversedAmount}`],
  );
}
