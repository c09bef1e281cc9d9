/** What the test acquirer knows of one payment. Amounts are in minor units. */
export interface BookedPayment {
  readonly attemptId: string;
  readonly retrievalReference: string;
  readonly merchantId: string;
  readonly currency: string;
  /** First six and last four. */
  readonly maskedCard: string;
  readonly approvalCode: string;
  readonly schemeTransactionId: string;
  held: number;
  captured: number;
  refunded: number;
}

/** One message that changed something, so that it can be taken back. */
export interface Booking {
  readonly kind: 'Hold' | 'Sale' | 'Capture' | 'Release' | 'Refund' | 'Nothing';
  readonly attemptId: string;
  readonly amount: number;
  readonly payment: BookedPayment;
  /** YYMMDD. */
  readonly day: string;
  readonly acquirerReference: string;
  isTakenBack: boolean;
}

/** Why the books do not allow something: the original is not known, or not so. */
export type BookFault = '914' | '902';

/** Hears of each change. */
export type OnChange = (change: Readonly<Record<string, unknown>>) => void;

/** The books of the test acquirer: holds, captures, refunds, by the names of their messages. They live as long as the program. */
export class Books {
  readonly #byMessage = new Map<string, Booking>();
  readonly #onChange: OnChange;

  constructor(onChange: OnChange) {
    this.#onChange = onChange;
  }

  /** All bookings, in their order. */
  bookings(): readonly Booking[] {
    return [...this.#byMessage.values()];
  }

  find(message: string): Booking | undefined {
    return this.#byMessage.get(message);
  }

  /** Books a hold, a sale, or a refund of its own. */
  open(message: string, booking: Omit<Booking, 'isTakenBack'>): void {
    const { payment, amount, kind } = booking;
    if (kind === 'Hold') payment.held += amount;
    if (kind === 'Sale') payment.captured += amount;
    this.#note(message, booking);
  }

  /** Why what follows a payment cannot be booked; undefined where it can. */
  faultOf(
    kind: 'Capture' | 'Release' | 'Refund' | 'Hold',
    original: Booking | undefined,
    asked: { readonly amount: number; readonly retrievalReference: string; readonly currency: string },
  ): BookFault | undefined {
    if (original === undefined || original.payment.retrievalReference !== asked.retrievalReference) return '914';
    const { payment, isTakenBack } = original;
    if (isTakenBack) return '914';
    if (payment.currency !== asked.currency) return '902';
    if (kind === 'Capture' || kind === 'Release') return asked.amount > payment.held ? '902' : undefined;
    if (kind === 'Refund') return asked.amount > payment.captured - payment.refunded ? '902' : undefined;
    return original.kind === 'Hold' ? undefined : '902';
  }

  /** Books what follows a payment. It must be possible. */
  follow(message: string, booking: Omit<Booking, 'isTakenBack'>): void {
    const { payment, amount, kind } = booking;
    if (kind === 'Hold') payment.held += amount;
    if (kind === 'Capture' || kind === 'Release') payment.held -= amount;
    if (kind === 'Capture') payment.captured += amount;
    if (kind === 'Refund') payment.refunded += amount;
    this.#note(message, booking);
  }

  /** Undoes one message; false where it is not known. Twice is as once. */
  takeBack(message: string): boolean {
    const booking = this.#byMessage.get(message);
    if (booking === undefined) return false;
    if (booking.isTakenBack) return true;
    booking.isTakenBack = true;
    const { payment, amount, kind } = booking;
    if (kind === 'Hold') payment.held -= Math.min(amount, payment.held);
    if (kind === 'Sale') payment.captured -= amount;
    if (kind === 'Capture') payment.captured -= amount;
    if (kind === 'Capture' || kind === 'Release') payment.held += amount;
    if (kind === 'Refund') payment.refunded -= amount;
    this.#tell('TakeBack', booking);
    return true;
  }

  #note(message: string, booking: Omit<Booking, 'isTakenBack'>): void {
    const noted = { ...booking, isTakenBack: false };
    this.#byMessage.set(message, noted);
    this.#tell(booking.kind, noted);
  }

  #tell(change: string, { attemptId, amount, payment, day, acquirerReference }: Booking): void {
    const { merchantId, currency, retrievalReference, held, captured, refunded } = payment;
    this.#onChange({
      change,
      attemptId,
      payment: payment.attemptId,
      amount,
      currency,
      merchantId,
      retrievalReference,
      acquirerReference,
      day,
      held,
      captured,
      refunded,
    });
  }
}

/** Numbers and amounts of one day, as fields 74–77 and 86–89 count them. */
export interface DayTotals {
  readonly refundsNumber: number;
  readonly refundReversalsNumber: number;
  readonly salesNumber: number;
  readonly saleReversalsNumber: number;
  readonly refundsAmount: number;
  readonly refundReversalsAmount: number;
  readonly salesAmount: number;
  readonly saleReversalsAmount: number;
}

/** The totals of a merchant's day in one currency. What was taken back counts on both sides. */
export function totalsOf(bookings: readonly Booking[]): DayTotals {
  const sum = (kinds: readonly Booking['kind'][], onlyTakenBack: boolean) => {
    const counted = bookings.filter(({ kind, isTakenBack }) => kinds.includes(kind) && (!onlyTakenBack || isTakenBack));
    return { number: counted.length, amount: counted.reduce((total, { amount }) => total + amount, 0) };
  };
  const sales = sum(['Sale', 'Capture'], false);
  const saleReversals = sum(['Sale', 'Capture'], true);
  const refunds = sum(['Refund'], false);
  const refundReversals = sum(['Refund'], true);
  return {
    refundsNumber: refunds.number,
    refundReversalsNumber: refundReversals.number,
    salesNumber: sales.number,
    saleReversalsNumber: saleReversals.number,
    refundsAmount: refunds.amount,
    refundReversalsAmount: refundReversals.amount,
    salesAmount: sales.amount,
    saleReversalsAmount: saleReversals.amount,
  };
}
