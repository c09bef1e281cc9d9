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

/** A change as it is told: what was done, and how the payment stands then. */
export interface BookChange extends Pick<Booking, 'attemptId' | 'amount' | 'day' | 'acquirerReference'> {
  /** `TakeBack` undoes the booking of this message. */
  readonly change: Booking['kind'] | 'TakeBack';
  /** The name of the message that was booked. */
  readonly message: string;
  /** The attempt that made the payment. */
  readonly payment: string;
  readonly cardNumber: string;
  readonly currency: string;
  readonly merchantId: string;
  readonly retrievalReference: string;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
}

/** Hears of each change. */
export type OnChange = (change: BookChange) => void;

/** The books of the test acquirer: holds, captures, refunds, by the names of their messages. */
export class Books {
  readonly #byMessage = new Map<string, Booking>();
  readonly #byAttempt = new Map<string, Booking>();
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

  /** What an attempt has booked, under whatever name. */
  ofAttempt(attemptId: string): Booking | undefined {
    return this.#byAttempt.get(attemptId);
  }

  /** Books what an earlier life of the program has told, and tells it no more. */
  restore(told: BookChange, codes: Pick<BookedPayment, 'approvalCode' | 'schemeTransactionId'>): void {
    const { change, message, attemptId, amount, day, acquirerReference } = told;
    const { merchantId, currency, retrievalReference, cardNumber: maskedCard } = told;
    const made = { attemptId: told.payment, retrievalReference, merchantId, currency, maskedCard, ...codes };
    const payment = this.#byAttempt.get(told.payment)?.payment ?? { ...made, held: 0, captured: 0, refunded: 0 };
    payment.held = told.held;
    payment.captured = told.captured;
    payment.refunded = told.refunded;
    const booked = this.#byMessage.get(message);
    if (change !== 'TakeBack') {
      this.#keep(message, { kind: change, attemptId, amount, payment, day, acquirerReference, isTakenBack: false });
    } else if (booked !== undefined) booked.isTakenBack = true;
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
    kind: 'Capture' | 'Release' | 'Refund',
    original: Booking | undefined,
    asked: { readonly amount: number; readonly retrievalReference: string; readonly currency: string },
  ): BookFault | undefined {
    if (original === undefined || original.payment.retrievalReference !== asked.retrievalReference) return '914';
    const { payment, isTakenBack } = original;
    if (isTakenBack) return '914';
    if (payment.currency !== asked.currency) return '902';
    if (kind === 'Capture' || kind === 'Release') return asked.amount > payment.held ? '902' : undefined;
    return asked.amount > payment.captured - payment.refunded ? '902' : undefined;
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
    this.#tell('TakeBack', message, booking);
    return true;
  }

  #note(message: string, booking: Omit<Booking, 'isTakenBack'>): void {
    const noted = { ...booking, isTakenBack: false };
    this.#keep(message, noted);
    this.#tell(booking.kind, message, noted);
  }

  #keep(message: string, booking: Booking): void {
    this.#byMessage.set(message, booking);
    this.#byAttempt.set(booking.attemptId, booking);
  }

  #tell(change: BookChange['change'], message: string, booking: Booking): void {
    const { attemptId, amount, payment, day, acquirerReference } = booking;
    const { merchantId, currency, retrievalReference, held, captured, refunded } = payment;
    this.#onChange({
      change,
      message,
      attemptId,
      payment: payment.attemptId,
      cardNumber: payment.maskedCard,
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
