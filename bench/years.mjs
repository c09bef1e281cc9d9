/**
 * Years of a payee's life, made of one day: all rows of a payee are copied again and again, to small payees, middle ones and one that has
 * three quarters of all. Each copy has ids, references and numbers of its own, so every invariant of the ledger holds of it as it held of
 * the day.
 */
import { randomUUID } from 'node:crypto';

/** Copies of a whole database of years. */
const SHARES = {
  small: { payees: 1000, copies: 1 },
  middle: { payees: 20, copies: 100 },
  large: { payees: 1, copies: 9000 },
};
/** Copies that are made by one statement for each table. */
const CHUNK = 200;
/** The first block of numbers of copies: the service's own payees draw lower ones. */
const FIRST_BLOCK = 5_000_000;
/** How far back the copies lie: two years. */
const SPAN_SECONDS = 2 * 365 * 86_400;

/** In the block of its copy. */
const NUMBER = 'c.block * 10000::bigint + t.number % 10000';
/** Nothing of a copy expires while it is measured. */
const NOT_SOON = "timestamptz '2099-01-01'";

/** The tables of a payee's payments, and what of their columns is another one in a copy. All uuids and times are, beside these. */
const TABLES = {
  account: { number_digest: 'sha256(t.number_digest || c.n::text::bytea)' },
  gift_card: {},
  gift_card_step: { transaction_ref: "t.transaction_ref || '.' || c.n" },
  reference: { reference: "t.reference || '.' || c.n" },
  payment: { payment_transaction_ref: "t.payment_transaction_ref || '.' || c.n" },
  payment_transaction: { payment_transaction_ref: "t.payment_transaction_ref || '.' || c.n" },
  payment_number: { number: NUMBER },
  movement: {},
  entry: {},
  card_payment: { number: NUMBER, expires_at: NOT_SOON },
  card_transaction: { number: NUMBER },
  payment_order: {
    number: NUMBER,
    expires_at: NOT_SOON,
    content_digest: 'sha256(t.content_digest || c.n::text::bytea)',
  },
  order_leg: {},
  order_transaction: { number: NUMBER },
  order_part: {},
  order_history: {},
  order_payer: {},
  event: { resource_id: idIn('resource_id') },
  event_feed: { position: 'c.position + t.position' },
  audit: { object_id: idIn('object_id') },
};

/** Times to come stay: what is due is not the work of a day of years. */
const STAYS = /expires|until|ends?_at|due|next_/;

function idIn(column) {
  return `case when t.${column} ~ '^[0-9a-f]{8}-' then pg_temp.copied(t.${column}::uuid, c.n, c.shift)::text else t.${column} end`;
}

/** An id of a copy: of its own time, and what is behind follows from the id that is copied. All casts are immutable, or it would be called row by row. */
const PREPARE = `
  create function pg_temp.copied(id uuid, n bigint, shift bigint) returns uuid language sql immutable parallel safe as $$
    select (
      lpad(to_hex(('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint - shift * 1000), 12, '0') ||
      substr(id::text, 15, 4) || '8' || right(md5(id::text || n::text), 15)
    )::uuid
  $$;
  create temporary table copy (n bigint, payee_id uuid, position bigint, block bigint, shift bigint);
  set session_replication_role = replica;
  set synchronous_commit = off`;

/**
 * Adds years to a database.
 *
 * @param {import('pg').Client} client of the superuser, who may leave out triggers; the same one each time
 * @param {{payeeId: string, scale: number, from?: number}} options `payeeId`: whose rows are copied; `scale`: the part of the whole that is to
 *   be there in the end; `from`: the part that is there already
 * @returns how many movements there are
 */
export async function addYears(client, { payeeId, scale, from = 0 }) {
  if (from === 0) await keepTheDay(client, payeeId);
  const inserts = [];
  for (const table of Object.entries(TABLES)) inserts.push(await insertOf(client, table));
  const added = planOf(scale).slice(from === 0 ? 0 : planOf(from).length);
  const payees = await payeesOf(client, payeeId, added);
  // In the order of time, in which ids are too: each chunk is written to one place of an index.
  const plan = added.toSorted((one, other) => other.shift - one.shift);
  const positions = await positionsOf(client, added, payees);
  const restore = await dropIndexes(client);
  for (let first = 0; first < plan.length; first += CHUNK) {
    const chunk = plan.slice(first, first + CHUNK);
    await client.query('truncate copy');
    await client.query(ADD_COPIES, [
      chunk.map(({ n }) => n),
      chunk.map(({ payee }) => payees.get(payee)),
      chunk.map(({ n }) => positions.get(n)),
      chunk.map(({ n }) => FIRST_BLOCK + n),
      chunk.map(({ shift }) => shift),
    ]);
    await client.query('analyze copy');
    for (const insert of inserts) await client.query(insert);
    await client.query(NUMBERS);
    await client.query(HEADS);
  }
  for (const statement of restore) await client.query(statement);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const { rows } = await client.query('select count(*) as movements from movement');
  return Number(rows[0].movements);
}

/** Keeps the rows that are copied, as they are before there are copies. */
async function keepTheDay(client, payeeId) {
  await client.query(PREPARE);
  for (const table of [...Object.keys(TABLES), 'gift_card_product']) {
    await client.query(`create temporary table day_${table} as select * from ${table} where payee_id = '${payeeId}'`);
    await client.query(`analyze day_${table}`);
  }
  await client.query(LEAVE_OUT_THE_SANDBOX);
}

/** The sandbox's own accounts have so much money that the sum of all copies would be no number any more. They were only opened. */
const LEAVE_OUT_THE_SANDBOX = `
  with rich as (
    delete from day_account where available > 100000000000 returning account_id
  ), opened as (
    delete from day_movement
    where movement_id in (select movement_id from day_entry join rich using (account_id)) returning movement_id
  )
  delete from day_entry where movement_id in (select movement_id from opened)`;

/** Whose each copy is, in the order in which copies are added: whatever the scale, the first ones are the same. */
function planOf(scale) {
  const { small, middle, large } = SHARES;
  const all = small.payees * small.copies + middle.payees * middle.copies + large.payees * large.copies;
  return Array.from({ length: Math.max(1, Math.round(all * scale)) }, (_, index) => {
    const lot = index % 12;
    const payee =
      lot < 9
        ? 'large'
        : lot < 11
          ? `middle ${index % middle.payees}`
          : `small ${Math.floor(index / 12) % small.payees}`;
    const n = index + 1;
    return { n, payee, shift: 60 + ((n * 7919) % SPAN_SECONDS) };
  });
}

/** Behind which position of its payee's feed each copy stands: each feed goes on where it ends. */
async function positionsOf(client, added, payees) {
  const { rows } = await client.query(
    'select payee_id as payee, max(position)::float8 as head from event_feed group by payee_id',
  );
  const heads = new Map(rows.map(({ payee, head }) => [payee, head]));
  const [{ events }] = (await client.query('select max(position)::float8 as events from day_event_feed')).rows;
  const positions = new Map();
  for (const { n, payee } of added) {
    const head = heads.get(payees.get(payee)) ?? 0;
    positions.set(n, head);
    heads.set(payees.get(payee), head + events);
  }
  return positions;
}

/**
 * Drops the indexes of the tables but for their primary keys: a row at a time, each would be written to at another place.
 *
 * @returns statements that make them again
 */
async function dropIndexes(client) {
  const { rows } = await client.query(INDEXES, [Object.keys(TABLES)]);
  for (const { drop } of rows) await client.query(drop);
  return ["set maintenance_work_mem = '512MB'", ...rows.map(({ make }) => make)];
}

const INDEXES = `
  select
    case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
      else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
    case when c.oid is null then pg_get_indexdef(i.indexrelid)
      else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
  from pg_index i
  left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'u'
  where i.indrelid::regclass::text = any ($1::text[]) and not i.indisprimary
    and not exists (select from pg_constraint where conindid = i.indexrelid and contype = 'f')`;

/** The ids of payees by their names in the plan: the large one is the payee whose rows are copied. */
async function payeesOf(client, payeeId, plan) {
  const payees = new Map([['large', payeeId]]);
  for (const payee of new Set(plan.map((copy) => copy.payee))) {
    if (payee === 'large') continue;
    const name = `Years ${payee}`;
    const { rows } = await client.query(
      'insert into payee (payee_id, name) select $1, $2 where not exists (select from payee where name = $2) returning payee_id as id',
      [randomUUID(), name],
    );
    const [made] = rows;
    if (made !== undefined) {
      await client.query(`update day_gift_card_product set payee_id = $1`, [made.id]);
      await client.query('insert into gift_card_product select * from day_gift_card_product');
    }
    const found = made ?? (await client.query('select payee_id as id from payee where name = $1', [name])).rows[0];
    payees.set(payee, found.id);
  }
  return payees;
}

async function insertOf(client, [table, members]) {
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  );
  const values = rows.map(({ name, type }) => {
    if (name === 'payee_id') return 'c.payee_id';
    if (members[name] !== undefined) return members[name];
    if (type === 'uuid') return `pg_temp.copied(t.${name}, c.n, c.shift)`;
    return type.startsWith('timestamp') && !STAYS.test(name)
      ? `t.${name} - c.shift * interval '1 second'`
      : `t.${name}`;
  });
  const names = rows.map(({ name }) => name).join(', ');
  return `insert into ${table} (${names}) select ${values.join(', ')} from copy c cross join day_${table} t`;
}

const ADD_COPIES = `
  insert into copy
  select * from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[])`;

const NUMBERS = `
  with blocks as (
    insert into number_block (block, payee_id) select block, payee_id from copy returning block, payee_id
  )
  insert into number_counter (payee_id, latest)
  select payee_id, max(block) * 10000::bigint + 9999 from blocks group by payee_id
  on conflict (payee_id) do update set latest = greatest(number_counter.latest, excluded.latest)`;

const HEADS = `
  insert into event_head (payee_id, position)
  select f.payee_id, max(f.position) from event_feed f where f.payee_id in (select payee_id from copy)
  group by f.payee_id
  on conflict (payee_id) do update set position = excluded.position`;
