import type { PayeeId } from '../../src/kit/ids.ts';
import { instantOf, unixMsOf } from '../../src/kit/instants.ts';
import type { Figure } from '../../src/portal/ledger/ledger.types.ts';
import type { TestDatabase } from '../support/database/database.ts';

const DAY_MS = 86_400_000;
const CURRENCIES = ['NOK', 'EUR', 'JPY'] as const;
const PROBLEMS = ['carddeclined', 'acquirerinsufficientfunds', 'velocitycheck'] as const;

/** What the builder made, told by itself and not by what reads it. */
export interface MadeMovement {
  readonly at: string;
  readonly currency: string;
  /** Undefined: it counts as none. */
  readonly figure: Figure | undefined;
  readonly amount: number;
}
export interface MadePayable {
  readonly of: 'payments' | 'orders';
  readonly at: string;
  readonly currency: string;
  readonly outcome: 'paid' | 'declined' | 'open';
  /** One for each attempt that failed. */
  readonly problems: readonly string[];
}

type Row = Readonly<Record<string, string | number | boolean | null | object>>;

/** Rows of a shop between two instants, drawn by a seed. */
export class MonthRows {
  readonly movements: MadeMovement[] = [];
  readonly payables: MadePayable[] = [];
  readonly #payeeId: PayeeId;
  readonly #period: { readonly from: string; readonly to: string };
  readonly #rows = new Map<string, Row[]>();
  #drawn: number;
  #numbers = 0;

  constructor(payeeId: PayeeId, seed: number, period: { readonly from: string; readonly to: string }) {
    this.#payeeId = payeeId;
    this.#period = period;
    this.#drawn = seed;
    for (let count = 0; count < 900; count++) this.#draw();
  }

  /** Writes all rows. */
  async write(database: Pick<TestDatabase, 'asAdmin'>): Promise<void> {
    const inserts = [...this.#rows].map(([table, rows]) => {
      const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ');
      const json = JSON.stringify(rows.map((row) => ({ payee_id: this.#payeeId, ...row }))).replaceAll("'", "''");
      return `insert into ${table} (payee_id, ${names})
        select payee_id, ${names} from jsonb_populate_recordset(null::${table}, '${json}')`;
    });
    await database.asAdmin(`set session_replication_role = replica; ${inserts.join(';\n')}; analyze`);
  }

  #below(limit: number): number {
    this.#drawn = (Math.imul(this.#drawn, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#drawn / 2 ** 32) * limit);
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  #add(table: string, row: Row): void {
    const rows = this.#rows.get(table) ?? [];
    rows.push(row);
    this.#rows.set(table, rows);
  }

  #instant(): string {
    const { from, to } = this.#period;
    return instantOf(unixMsOf(from) + this.#below(unixMsOf(to) - unixMsOf(from)));
  }

  #after(at: string, days: number): string {
    return instantOf(unixMsOf(at) + this.#below(days * DAY_MS));
  }

  /** An id of an instant. */
  #id(at: string): string {
    const time = unixMsOf(at).toString(16).padStart(12, '0');
    const rest = String(++this.#numbers).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`;
  }

  #draw(): void {
    const at = this.#instant();
    const currency = this.#one(CURRENCIES);
    const kinds = [
      'card',
      'card',
      'card',
      'account',
      'account',
      'order',
      'deposit',
      'import',
      'credit',
      'other',
    ] as const;
    const kind = this.#one(kinds);
    if (kind === 'card') this.#cardPayment(at, currency);
    else if (kind === 'account') this.#accountPayment(at, currency);
    else if (kind === 'order') this.#order(at, currency);
    else if (kind === 'other') this.#other(at, currency);
    else this.#loaded(kind, at, currency);
  }

  #move(at: string, { kind, currency, paymentId, figure, lines }: Moving): void {
    const movement_id = this.#id(at);
    this.#add('movement', { movement_id, kind, currency, payment_id: paymentId, happened_at: at });
    lines.forEach(([side, amount], index) => {
      const isBucket = side === 'Available' || side === 'Held';
      const bucket = isBucket ? { account_id: movement_id, sequence: index + 1, balance: 1_000_000_000 } : {};
      this.#add('entry', { movement_id, line: index + 1, side, currency, amount, ...NO_BUCKET, ...bucket });
    });
    const [, amount] = lines.find(([side]) => side === 'Clearing' || side === 'Funding') ?? ['', 0];
    const counts = lines.some(([side]) => side === 'Clearing') ? amount : -amount;
    this.movements.push({ at, currency, figure, amount: counts });
  }

  /** Captures a part or all some days later, and gives a part back or nothing. */
  #captured(at: string, { paymentId, currency, isOurs }: Captured, amount: number): void {
    const [side, figure]: [string, Figure] = isOurs ? ['Held', 'spent'] : ['Issuer', 'volume'];
    const taken = this.#one([amount, amount, Math.ceil(amount / 3)]);
    const later = this.#after(at, 4);
    const back = isOurs ? 'Available' : 'Issuer';
    const about = { currency, paymentId, figure };
    this.#move(later, {
      ...about,
      kind: 'Capture',
      lines: [
        [side, -taken],
        ['Clearing', taken],
      ],
    });
    if (this.#below(3) > 0) return;
    const given = this.#one([taken, Math.ceil(taken / 2)]);
    this.#move(this.#after(later, 20), {
      ...about,
      kind: 'Reversal',
      lines: [
        [back, given],
        ['Clearing', -given],
      ],
    });
  }

  #cardPayment(at: string, currency: string, order?: Order): string {
    const payment_id = this.#id(at);
    const outcome = order?.outcome ?? this.#one(['paid', 'paid', 'declined', 'open'] as const);
    const amount = order?.part ?? 100 + this.#below(90_000);
    const failed = outcome === 'open' ? 0 : outcome === 'declined' ? 1 + this.#below(2) : this.#below(2);
    const problems = Array.from({ length: failed }, () => this.#one(PROBLEMS));
    for (const problem of problems) {
      const number = ++this.#numbers;
      this.#add('card_transaction', {
        ...{ transaction_id: this.#id(at), payment_id, number, type: 'Authorization', state: 'Failed', problem },
        ...{ amount, vat_amount: 0, tokens: [], taking_back: false, created_at: at, updated_at: at },
      });
    }
    this.#add('card_payment', {
      ...CARD_PAYMENT,
      ...{ payment_id, number: 10_000_000_000 + ++this.#numbers, currency, order_id: order?.orderId ?? null },
      ...(outcome === 'declined' ? this.#one(UNPAID) : UNPAID[0]),
      ...(outcome === 'paid' ? { amount, paid_by: payment_id } : { amount: 0, paid_by: null }),
      ...{ failed_tries: failed, created_at: at, updated_at: at },
    });
    if (outcome === 'paid') this.#captured(at, { paymentId: payment_id, currency, isOurs: false }, amount);
    if (order === undefined) this.payables.push({ of: 'payments', at, currency, outcome, problems });
    else this.payables.push({ of: 'orders', at, currency, outcome, problems });
    return payment_id;
  }

  #accountPayment(at: string, currency: string, order?: Order): void {
    const payment_id = this.#id(at);
    const isPaid = order !== undefined || this.#below(4) > 0;
    const amount = order?.part ?? 100 + this.#below(9_000);
    const problem = isPaid ? null : this.#one(PROBLEMS);
    this.#add('payment', {
      ...ACCOUNT_PAYMENT,
      ...{
        payment_id,
        account_id: payment_id,
        operation: 'Authorize',
        state: isPaid ? 'OK' : 'FAILED',
        amount,
        currency,
      },
      ...{ problem, order_id: order?.orderId ?? null, created_at: at, updated_at: at },
    });
    if (isPaid) this.#captured(at, { paymentId: payment_id, currency, isOurs: true }, amount);
    if (order !== undefined) return;
    const problems = problem === null ? [] : [problem];
    this.payables.push({ of: 'payments', at, currency, outcome: isPaid ? 'paid' : 'declined', problems });
  }

  /** Two means pay it, and it is one. */
  #order(at: string, currency: string): void {
    const order_id = this.#id(at);
    const outcome = this.#one(['paid', 'paid', 'declined', 'open'] as const);
    const part = 500 + this.#below(5_000);
    const order = { orderId: order_id, outcome, part };
    const card_payment_id = this.#cardPayment(at, currency, order);
    if (outcome === 'paid') this.#accountPayment(at, currency, order);
    this.#add('payment_order', {
      ...ORDER,
      ...{ order_id, number: 20_000_000_000 + ++this.#numbers, currency, amount: 2 * part, card_payment_id },
      ...(outcome === 'paid' ? { status: 'Paid', paid_by: order_id } : { status: 'Initialized', paid_by: null }),
      ...{ failed_tries: this.payables.at(-1)?.problems.length ?? 0, created_at: at, updated_at: at },
    });
  }

  /** A card that is sold or loaded, one that was sold elsewhere, and a present; what was loaded may be taken back. */
  #loaded(kind: 'deposit' | 'import' | 'credit', at: string, currency: string): void {
    const paymentId = this.#id(at);
    const operation = kind === 'credit' ? 'Credit' : 'Deposit';
    const amount = 1_000 + this.#below(50_000);
    this.#add('payment', {
      ...ACCOUNT_PAYMENT,
      ...{ payment_id: paymentId, account_id: paymentId, operation, state: 'OK', amount, currency },
      ...{ problem: null, order_id: null, created_at: at, updated_at: at },
    });
    if (kind === 'import') {
      const audit = {
        audit_id: this.#id(at),
        actor_kind: 'operator',
        actor_id: 'cli',
        action: 'import-gift-card',
        details: {},
      };
      this.#add('audit', { ...audit, object_kind: 'payment', object_id: paymentId, happened_at: at });
    }
    const figure: Figure | undefined = kind === 'deposit' ? 'sold' : undefined;
    const about = { currency, paymentId, figure };
    this.#move(at, {
      ...about,
      kind: operation,
      lines: [
        ['Available', amount],
        ['Funding', -amount],
      ],
    });
    if (this.#below(4) > 0) return;
    this.#move(this.#after(at, 9), {
      ...about,
      kind: 'Reversal',
      lines: [
        ['Available', -amount],
        ['Funding', amount],
      ],
    });
  }

  /** What moves no money of a payer. */
  #other(at: string, currency: string): void {
    const amount = 1 + this.#below(99_000);
    const about = { currency, paymentId: null, figure: undefined };
    const [kind, ...lines] = this.#one([
      ['Settlement', ['Clearing', -amount], ['Issuer', amount]],
      ['Dispute', ['Clearing', -amount], ['Issuer', amount]],
      ['Sweep', ['Available', -amount], ['Breakage', amount]],
      ['Merge', ['Available', -amount], ['Held', amount]],
      ['Opening', ['Available', amount], ['Funding', -amount]],
    ] as const);
    this.#move(at, { ...about, kind, lines });
  }
}

interface Moving {
  readonly kind: string;
  readonly currency: string;
  readonly paymentId: string | null;
  readonly figure: Figure | undefined;
  readonly lines: readonly (readonly [side: string, amount: number])[];
}

interface Captured {
  readonly paymentId: string;
  readonly currency: string;
  readonly isOurs: boolean;
}

interface Order {
  readonly orderId: string;
  readonly outcome: MadePayable['outcome'];
  readonly part: number;
}

const UNPAID = [
  { state: 'Ready', abort_reason: null },
  { state: 'Failed', abort_reason: null },
  { state: 'Aborted', abort_reason: 'Expired' },
] as const;
const NO_BUCKET = { account_id: null, sequence: null, balance: null };
const NOTHING_YET = { captured: 0, cancelled: 0, reversed: 0, reserved_hold: 0, reserved_reversal: 0, disputed: 0 };
const CARD_PAYMENT = {
  ...{ operation: 'Purchase', intent: 'Authorization', unsettled: 0, terms: {}, expires_at: '2100-01-01T00:00:00Z' },
  ...{ event_sequence: 1, version: 0, ...NOTHING_YET },
};
const ACCOUNT_PAYMENT = {
  ...{ hold_expires_at: null, payment_order_ref: 'order', payment_transaction_ref: 'ref', echo: {}, event_sequence: 1 },
  ...NOTHING_YET,
};
const { disputed: _, ...OF_ORDER } = NOTHING_YET;
const ORDER = {
  ...{ operation: 'Purchase', intent: 'Authorization', vat_amount: 0, unsettled: 0, made_in: '3.1', terms: {} },
  ...{
    order_items: [],
    content_digest: `\\x${'00'.repeat(32)}`,
    expires_at: '2100-01-01T00:00:00Z',
    event_sequence: 1,
  },
  ...{ history_count: 0, version: 0, ...OF_ORDER },
};
