import type { Dialect, MessageForm } from '../../src/iso8583/dialects/dialect.types.ts';
import { codeIn } from './action-codes.rules.ts';
import {
  type AskedKind,
  answeringType,
  attemptOf,
  faultyField,
  firstTypeOf,
  kindOf,
  nameOf,
  originalNameOf,
} from './asked.rules.ts';
import { type Behaviour, behaviourOf, isHabit, type Planned } from './behaviour.rules.ts';
import { type BookChange, type BookedPayment, type Booking, Books, totalsOf } from './books.ts';
import type { HostMessage } from './host-frames.ts';
import type { Journal } from './journal.ts';
import type { Script } from './script.ts';
import {
  hasCheckDigit,
  isTestSchemeId,
  testAcquirerReference,
  testApprovalCode,
  testAuthenticationValue,
  testBrandOf,
  testSchemeId,
} from './test-values.ts';
import { tellOfCard } from './told-cards.rules.ts';

/** What the host does with a message: its answer, and how it is given. */
export interface Reply {
  readonly answer: HostMessage;
  readonly planned: Planned | undefined;
  /** The approval that comes after an answer which says that nothing is known yet. */
  readonly approval?: HostMessage;
}

/** What the test acquirer is made of. */
export interface TestAcquirerContext {
  readonly dialect: Dialect;
  readonly seed: number;
  readonly journal: Journal;
  readonly script: Script;
  /** The business day of now, YYMMDD. */
  readonly today: () => string;
  /** The month that it still is somewhere, YYMM: a card that is valid through it has not expired. */
  readonly oldestMonth: () => string;
  /**
   * Whether it believes in payments that it does not know: its clients remember more than it does. So do those of a
   * sandbox, whose database outlives each of its lives.
   */
  readonly believes: boolean;
  /** Writes the file of a day that was reconciled. */
  readonly settle: (day: DayOfMerchant, bookings: readonly Booking[]) => void;
}

/** One merchant's day in one currency. */
export interface DayOfMerchant {
  readonly merchantId: string;
  readonly currency: string;
  readonly day: string;
}

/** Answers that are remembered for duplicates: an hour of much traffic. */
const REMEMBERED = 500_000;

/** Booked, whatever is answered. */
const BOOKED_ANYWAY: readonly Behaviour[] = ['Malfunction', 'InProgress', 'Partial', 'PartialOfUnknown'];

/** The code that says of a repeat that its first message was taken. */
const DUPLICATE = '913';

const SILENT_AGAIN: readonly (Behaviour | undefined)[] = ['NoAnswer', 'TooLate'];

/** An acquirer with books of its own: it decides, and its server speaks. */
export class TestAcquirer {
  readonly books: Books;
  readonly #context: TestAcquirerContext;
  readonly #first = new Map<string, Reply>();
  /** Whether an earlier life of the program has had messages that this one does not know. */
  #isOlder = false;
  /** Tries of taking back what is acknowledged the fourth time only. */
  readonly #silentTries = new Map<string, number>();

  constructor(context: TestAcquirerContext) {
    this.#context = context;
    this.books = new Books((change) => context.journal.write({ event: 'books', ...change }));
  }

  /** Takes over what an earlier life of the program has booked. */
  restore(changes: readonly BookChange[]): void {
    this.#isOlder = changes.length > 0;
    for (const change of changes) this.books.restore(change, this.#codesOf(change.payment));
  }

  /** The answer to a message about payments or totals. A duplicate gets the first one's. */
  reply(message: HostMessage): Reply {
    const { dialect } = this.#context;
    const name = nameOf(message, dialect);
    if (this.#repeatsNothing(name, message)) return { answer: this.#answer(message, '914'), planned: undefined };
    const isOfTotals = isOfKind(message, dialect.messages.Reconcile);
    const kind = isOfTotals ? 'Totals' : kindOf(dialect, message);
    const before = this.#first.get(name)?.planned;
    if (before?.does === 'RefuseRepeat') {
      return { answer: this.#answer(message, before.code ?? DUPLICATE), planned: undefined };
    }
    // A take-back is looked at again each time: it may be silent, and then not.
    const known = kind === 'TakeBack' ? undefined : this.#first.get(name);
    // A capture without answer, or with a late one, has none in time to its repeat either; a cancel is acknowledged when it
    // is told again.
    const isSilent = kind === 'Capture' && SILENT_AGAIN.includes(known?.planned?.does);
    if (known !== undefined) {
      const keepsHabit = isSilent || isHabit(known.planned?.does);
      return { answer: known.answer, planned: keepsHabit ? known.planned : undefined };
    }
    const reply =
      kind === undefined ? { answer: this.#answer(message, '902'), planned: undefined } : this.#decide(kind, message);
    if (reply.planned?.does === 'Lost') return reply;
    this.#first.set(name, reply);
    const [oldest] = this.#first.keys();
    if (this.#first.size > REMEMBERED && oldest !== undefined) this.#first.delete(oldest);
    return reply;
  }

  /** A repeat of what never came: strict hosts know nothing of it. */
  #repeatsNothing(name: string, { type }: HostMessage): boolean {
    const { dialect, believes } = this.#context;
    const isRepeat = firstTypeOf(dialect, type) !== type;
    return isRepeat && !believes && !this.#isOlder && !this.#first.has(name);
  }

  #decide(kind: AskedKind | 'Totals', message: HostMessage): Reply {
    if (kind === 'Totals') return this.#reconcile(message);
    const faulty = faultyField(this.#context.dialect, kind, message);
    if (faulty !== undefined) {
      const answer = this.#answer(message, '904');
      answer.fields.additionalText = String(faulty);
      return { answer, planned: undefined };
    }
    const scripted = this.#context.script.plannedFor(message);
    if (scripted?.does === 'Lost') return { answer: this.#answer(message, '000'), planned: scripted };
    if (kind === 'TakeBack') return this.#takeBack(message, scripted);
    const isFollowUp = kind === 'Capture' || kind === 'Cancel' || kind === 'Reversal';
    // It was booked before this life of the program began.
    const booked = isFollowUp ? this.books.find(nameOf(message, this.#context.dialect)) : undefined;
    if (isFollowUp && booked !== undefined) return { answer: this.#done(kind, message, booked), planned: undefined };
    const planned = scripted ?? behaviourOf(amountOf(message), isFollowUp);
    return isFollowUp ? this.#follow(kind, message, planned) : this.#open(kind, message, planned);
  }

  #open(kind: AskedKind, message: HostMessage, planned: Planned | undefined): Reply {
    const { dialect } = this.#context;
    const attemptId = attemptOf(message, dialect);
    // An attempt that is known is answered as before, under whatever STAN it comes.
    const before = this.books.ofAttempt(attemptId);
    if (before !== undefined) return { answer: this.#approval(message, before), planned: undefined };
    const fault = this.#refusalOf(kind, message);
    if (fault !== undefined) return { answer: this.#answer(message, fault), planned: undefined };
    const refusal = refusedBy(planned, message);
    if (refusal !== undefined && !BOOKED_ANYWAY.includes(planned?.does ?? 'Refuse')) {
      return { answer: tellOfCard(planned, message, this.#answer(message, refusal), dialect), planned };
    }
    const payment = this.#newPayment(message);
    const kinds = { Purchase: 'Sale', Credit: 'Refund', Verify: 'Nothing' } as const;
    const booking = this.#booking(kinds[kind as keyof typeof kinds] ?? 'Hold', message, payment);
    const isPart = planned?.does === 'Partial' || planned?.does === 'PartialOfUnknown';
    const amount = isPart ? Math.floor(booking.amount / 2) : booking.amount;
    if (planned?.does !== 'TakeBackUnknown') this.books.open(nameOf(message, dialect), { ...booking, amount });
    const approval = this.#approval(message, { payment, amount });
    if (refusal !== undefined && !isPart) return { answer: this.#answer(message, refusal), planned, approval };
    return { answer: tellOfCard(planned, message, approval, dialect), planned };
  }

  /** The approval of what was booked: of a part, where it is less than was asked for. */
  #approval(message: HostMessage, { payment, amount }: Pick<Booking, 'payment' | 'amount'>): HostMessage {
    const isPart = amount < amountOf(message);
    const answer = this.#answer(message, isPart ? '002' : '000');
    if (isPart) answer.fields.amount = String(amount);
    answer.fields.approvalCode = payment.approvalCode;
    answer.tags.schemeTransactionId = payment.schemeTransactionId;
    if (message.tags.cvc !== undefined) answer.tags.cvcResult = 'M';
    if (message.tags.billingAddress !== undefined) answer.tags.addressResult = 'Y';
    return answer;
  }

  /** Why a request is refused; undefined where it is not. */
  #refusalOf(kind: AskedKind, message: HostMessage): string | undefined {
    const { cardNumber = '', expiry } = message.fields;
    if (!hasCheckDigit(cardNumber)) return '111';
    if (testBrandOf(cardNumber) === undefined) return '118';
    if (expiry !== undefined && expiry < this.#context.oldestMonth()) return '101';
    // A hold of nothing is the older form of a verification.
    if (kind !== 'Verify' && kind !== 'Authorize' && amountOf(message) === 0) return '110';
    const { authenticationValue, dsTransactionId = '', initiator = '', schemeTransactionId = '' } = message.tags;
    if (authenticationValue !== undefined && authenticationValue !== testAuthenticationValue(dsTransactionId))
      return '129';
    const isBelieved = this.#context.believes && schemeTransactionId === '';
    return initiator.startsWith('M') && !isBelieved && !isTestSchemeId(schemeTransactionId) ? '180' : undefined;
  }

  #follow(kind: 'Capture' | 'Cancel' | 'Reversal', message: HostMessage, planned: Planned | undefined): Reply {
    const kinds = { Capture: 'Capture', Cancel: 'Release', Reversal: 'Refund' } as const;
    const original = this.#believed(kind, message);
    const { retrievalReference = '', currency = '' } = message.fields;
    const asked = { amount: amountOf(message), retrievalReference, currency };
    const fault = this.books.faultOf(kinds[kind], original, asked) ?? refusedBy(planned, message);
    if (fault !== undefined || original === undefined)
      return { answer: this.#answer(message, fault ?? '914'), planned };
    const booking = this.#booking(kinds[kind], message, original.payment);
    this.books.follow(nameOf(message, this.#context.dialect), booking);
    const answer = this.#done(kind, message, booking);
    // As it stands: it may be one that no dialect knows.
    if (planned?.does === 'OtherCode') answer.fields.actionCode = planned.code ?? '999';
    return { answer, planned };
  }

  #done(
    kind: 'Capture' | 'Cancel' | 'Reversal',
    message: HostMessage,
    { acquirerReference, attemptId }: Pick<Booking, 'acquirerReference' | 'attemptId'>,
  ): HostMessage {
    const answer = this.#answer(message, { Capture: '900', Cancel: '400', Reversal: '000' }[kind]);
    if (kind !== 'Cancel') answer.fields.acquirerReference = acquirerReference;
    if (kind === 'Reversal') answer.fields.approvalCode = this.#codesOf(attemptId).approvalCode;
    return answer;
  }

  #takeBack(message: HostMessage, scripted: Planned | undefined): Reply {
    const name = originalNameOf(message);
    const approved = this.#first.get(name);
    // Of a part the part is taken back, which the answer told.
    const isOfOther = approved?.planned?.does === 'Partial' && amountOf(approved.answer) !== amountOf(message);
    if (isOfOther) return { answer: this.#answer(message, '902'), planned: undefined };
    const planned = scripted ?? behaviourOf(amountOf(message), false);
    if (planned?.does === 'TakeBackSilent') {
      const tries = (this.#silentTries.get(name) ?? 0) + 1;
      this.#silentTries.set(name, tries);
      if (tries <= 3) return { answer: this.#answer(message, '400'), planned: { does: 'NoAnswer' } };
    }
    const isKnown = planned?.does !== 'TakeBackUnknown' && this.books.takeBack(name);
    // Who refused it knows it, and has nothing to undo.
    const wasAnswered = planned?.does !== 'TakeBackUnknown' && (this.#context.believes || this.#first.has(name));
    const answer = this.#answer(message, isKnown || wasAnswered ? '400' : '914');
    // By its amount it is the payment's that has the habit.
    return { answer, planned: isHabit(scripted?.does) || isUnanswered(scripted?.does) ? scripted : undefined };
  }

  #reconcile(message: HostMessage): Reply {
    const scripted = this.#context.script.plannedFor(message);
    if (scripted?.does === 'Lost') return { answer: this.#answer(message, '500'), planned: scripted };
    const { merchantId = '', reconciliationCurrency: currency = '', reconciliationDay: day = '' } = message.fields;
    const bookings = this.books
      .bookings()
      .filter((one) => one.payment.merchantId === merchantId && one.payment.currency === currency && one.day === day);
    const ours = totalsOf(bookings);
    const differs = bookings.some(({ amount }) => behaviourOf(amount, false)?.does === 'TotalsDiffer');
    const told = differs ? { ...ours, salesAmount: ours.salesAmount + 1 } : ours;
    const isBalanced = Object.entries(told).every(
      ([name, value]) => Number(message.fields[name as keyof typeof told]) === value,
    );
    const answer = this.#answer(message, isBalanced ? '500' : '501');
    const net = told.salesAmount - told.saleReversalsAmount - told.refundsAmount + told.refundReversalsAmount;
    for (const [name, value] of Object.entries(told)) answer.fields[name as keyof typeof told] = String(value);
    answer.fields.netAmount = (net > 0 ? 'D' : 'C') + String(Math.abs(net)).padStart(16, '0');
    for (const name of ['reconciliationDay', 'reconciliationNumber', 'reconciliationCurrency'] as const) {
      const value = message.fields[name];
      if (value !== undefined) answer.fields[name] = value;
    }
    this.#context.settle({ merchantId, currency, day }, bookings);
    return { answer, planned: isUnanswered(scripted?.does) ? scripted : undefined };
  }

  /** A payment as what follows it tells of it: how much is held and captured, the client knows better. */
  #believed(kind: 'Capture' | 'Cancel' | 'Reversal', message: HostMessage): Booking | undefined {
    const { dialect, believes } = this.#context;
    const name = originalNameOf(message);
    const { originalAmounts = '' } = message.fields;
    if (!believes || originalAmounts === '') return this.books.find(name);
    if (this.books.find(name) === undefined) {
      const isSale = name.startsWith(`${dialect.messages.Purchase?.type} `);
      const booking = this.#booking(isSale ? 'Sale' : 'Hold', message, this.#newPayment(message));
      this.books.open(name, { ...booking, amount: Number(originalAmounts.slice(0, 12)) });
    }
    const found = this.books.find(name);
    if (found === undefined) return undefined;
    const { payment } = found;
    if (kind === 'Reversal') payment.captured = Math.max(payment.captured, payment.refunded + amountOf(message));
    else payment.held = Math.max(payment.held, amountOf(message));
    return found;
  }

  #newPayment(message: HostMessage): BookedPayment {
    const { fields } = message;
    const number = fields.cardNumber ?? '';
    const attemptId = attemptOf(message, this.#context.dialect);
    return {
      attemptId,
      retrievalReference: fields.retrievalReference ?? '',
      merchantId: fields.merchantId ?? '',
      currency: fields.currency ?? '',
      maskedCard: `${number.slice(0, 6)}******${number.slice(-4)}`,
      ...this.#codesOf(attemptId),
      held: 0,
      captured: 0,
      refunded: 0,
    };
  }

  #codesOf(attemptId: string): Pick<BookedPayment, 'approvalCode' | 'schemeTransactionId'> {
    const { seed } = this.#context;
    return { approvalCode: testApprovalCode(seed, attemptId), schemeTransactionId: testSchemeId(seed, attemptId) };
  }

  #booking(kind: Booking['kind'], message: HostMessage, payment: BookedPayment): Omit<Booking, 'isTakenBack'> {
    const { dialect, seed, today } = this.#context;
    return {
      kind,
      attemptId: attemptOf(message, dialect),
      amount: amountOf(message),
      payment,
      day: today(),
      acquirerReference: testAcquirerReference(seed, nameOf(message, dialect)),
    };
  }

  /** What every answer has. */
  #answer(message: HostMessage, actionCode: string): HostMessage {
    const answer: HostMessage = { type: answeringType(this.#context.dialect, message.type), fields: {}, tags: {} };
    for (const name of ECHOED) {
      const value = message.fields[name];
      if (value !== undefined) answer.fields[name] = value;
    }
    answer.fields.actionCode = codeIn(this.#context.dialect, actionCode);
    return answer;
  }
}

const ECHOED = [
  'processingCode',
  'amount',
  'transmittedAt',
  'stan',
  'sentAt',
  'acquiringInstitution',
  'forwardingInstitution',
  'retrievalReference',
  'terminalId',
  'merchantId',
  'currency',
  'exponent',
  'sentDate',
  'sentTime',
] as const;

/** Whether a message is of a kind, or a repeat of one. */
function isOfKind({ type }: HostMessage, form: MessageForm | undefined): boolean {
  return form !== undefined && type.startsWith(form.type.slice(0, 3));
}

/** In minor units. A cancel of 1987 says what there was, and what is left of it. */
export function amountOf({ fields }: HostMessage): number {
  return Number(fields.amount ?? '0') - Number(fields.replacementAmount ?? '0');
}

/** What is done, but not answered: of take-backs by a script alone. */
function isUnanswered(does: Behaviour | undefined): boolean {
  return does === 'NoAnswer' || does === 'RefuseRepeat';
}

/** The action code with which a planned behaviour refuses. */
function refusedBy(planned: Planned | undefined, { tags }: HostMessage): string | undefined {
  if (planned?.does === 'NeedsAuthentication') {
    const isAuthenticated = ['Y', 'A'].includes(tags.transStatus ?? '') && tags.authenticationValue !== undefined;
    return isAuthenticated ? undefined : planned.code;
  }
  // The first message is taken.
  return planned?.does === 'RefuseRepeat' || planned?.does === 'OtherCode' ? undefined : planned?.code;
}
