import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rows, Statement, Transaction } from '../../src/db/transaction.types.ts';
import { takeDue } from '../../src/events/deliveries/deliveries.store.ts';
import { selectDeliveries, selectDeliveriesOfState } from '../../src/events/deliveries/delivery-log.store.ts';
import type { DeliveryFilter, WebhookKey } from '../../src/events/events.types.ts';
import { readFeed } from '../../src/events/feed/feed.http.ts';
import { selectFeed } from '../../src/events/feed/feed.store.ts';
import { statementsOf } from '../support/database/explain.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { type DeliveryTest, deliveryTest } from '../support/shop/deliveries.ts';

/** Events of one payee in a year. */
const EVENTS = IS_LONG_RUN ? 2_000_000 : 60_000;
const PAGE = 1_000;
/** Milliseconds of a page, on a machine that does other things too. */
const PAGE_MS = 500;

let kontor: DeliveryTest;
let webhook: WebhookKey;
beforeAll(async () => {
  kontor = await deliveryTest();
  const shop = await kontor.payee();
  webhook = await shop.addWebhook('http://127.0.0.1:9/');
  const { payeeId, webhookId } = webhook;
  const id = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const rows = `generate_series(1, ${EVENTS}) n`;
  // A webhook that has taken the first and the last one; between them some were given up, and all others wait.
  await kontor.database.asAdmin(`
    set session_replication_role = replica;
    insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
    select '${payeeId}', ${id}, 'payment.captured', 'payment', n::text, 1, kontor_now() - interval '1 year' + n * interval '15 seconds', '{}'
    from ${rows};
    insert into event_feed (payee_id, event_id, position) select '${payeeId}', ${id}, n from ${rows};
    insert into event_head (payee_id, position) values ('${payeeId}', ${EVENTS})
    on conflict (payee_id) do update set position = excluded.position;
    insert into delivery (payee_id, webhook_id, position, event_id, resource_kind, resource_id, state, next_try_at, settled_at)
    select '${payeeId}', '${webhookId}', n, ${id}, 'payment', n::text, s.state, case when s.state = 'Waiting' then kontor_now() end,
      case when s.state <> 'Waiting' then kontor_now() end
    from ${rows}
    cross join lateral (
      select case when n in (1, ${EVENTS}) then 'Delivered' when n <= 10 then 'GivenUp' else 'Waiting' end as state
    ) s;
    set session_replication_role = default;
    analyze`);
}, 600_000);
afterAll(() => kontor.stop());

test.each([0, Math.floor(EVENTS / 2), EVENTS - PAGE])(
  'each page of a feed is read for itself, from position %i on as from the end',
  async (after) => {
    const { read } = kontor.database;
    const { payeeId } = webhook;
    const begun = performance.now();
    const page = await readFeed(read, { payeeId, after, limit: PAGE });
    expect(performance.now() - begun).toBeLessThan(PAGE_MS);
    expect(page.events.map(({ position }) => position)).toEqual(
      Array.from({ length: PAGE }, (_, at) => after + at + 1),
    );
    expect(page).toMatchObject({ next: after + PAGE, hasMore: after + PAGE < EVENTS });
    expect(await rowsLookedAt((run) => selectFeed(run, { payeeId, after, limit: PAGE + 1 }))).toBeLessThanOrEqual(
      PAGE + 1,
    );
  },
);

test('a webhook that is as far behind takes the next ones without looking at those behind them', async () => {
  expect(await rowsLookedAt((run) => takeDue({ run }, webhook, { limit: 16, leaseSeconds: 60 }))).toBeLessThan(100);
});

const FILTERS: readonly Omit<DeliveryFilter, 'limit'>[] = [
  {},
  { state: 'Waiting' },
  { state: 'GivenUp' },
  { state: 'Delivered', before: EVENTS },
  { state: 'Waiting', before: 11 },
];
test.each(FILTERS)('its log is read a page at a time, whatever is asked for: %j', async (filter) => {
  const select = (run: Run) => {
    const { state, ...page } = { ...filter, limit: 51 };
    return state === undefined
      ? selectDeliveries(run, webhook, page)
      : selectDeliveriesOfState(run, webhook, { ...page, state });
  };
  const begun = performance.now();
  await select(kontor.database.read);
  expect(performance.now() - begun).toBeLessThan(PAGE_MS);
  expect(await rowsLookedAt(select)).toBeLessThan(200);
});

type Run = Transaction['run'];
let explained = 0;

/** The most rows that a step of a statement's plan looks at, those included that it leaves out: with the plan that its connection keeps. */
async function rowsLookedAt(work: (run: Run) => Promise<Rows<unknown>>): Promise<number> {
  let asked: { readonly statement: Statement; readonly values: readonly unknown[] } | undefined;
  statementsOf(({ run }) =>
    work((statement, values) => {
      asked = { statement, values };
      return run(statement, values);
    }),
  );
  if (asked === undefined) throw new Error('it runs a statement');
  const literals = asked.values.map((value) => (value === null ? 'null' : `'${String(value)}'`));
  explained += 1;
  const [row] = await kontor.database.asAdmin(`
    set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan;
    prepare explained_${explained} as ${asked.statement.text};
    explain (analyze, format json) execute explained_${explained} (${literals.join(', ')})`);
  const [{ Plan: plan }] = (row as { 'QUERY PLAN': [{ Plan: unknown }] })['QUERY PLAN'];
  return mostRows(plan);
}

function mostRows(plan: unknown): number {
  const { Plans: steps = [], ...own } = plan as { Plans?: readonly unknown[] } & Record<string, number>;
  const { 'Actual Rows': given = 0, 'Rows Removed by Filter': leftOut = 0, 'Actual Loops': loops = 0 } = own;
  return Math.max((given + leftOut) * loops, ...steps.map(mostRows));
}
