import type { Read, Statement } from '../../db/transaction.types.ts';
import { PORTAL_SEARCH_ROWS } from '../../kit/portal-limits.ts';
import type { AccountName } from '../ledger/ledger.types.ts';
import type { Found } from '../newest-first.types.ts';
import type { GiftCardList, ListedGiftCard } from './gift-cards.types.ts';

/** What is shown of gift cards `g`, with their accounts and products. */
const CARDS = (cards: string) => `
  select g.account_id as "accountId", g.product_id as "productId", p.name as "productName", a.number_masked as masked,
    case when g.voided_at is not null then 'Voided' when g.merged_at is not null then 'Merged'
      when g.replaced_at is not null then 'Replaced' when g.swept_at is not null then 'Swept'
      when a.expires_at <= kontor_now() then 'Expired'
      when a.blocked_at is not null and (a.blocked_until is null or a.blocked_until > kontor_now()) then 'Blocked'
      when g.inactive_until_sold and a.entry_count = 0 then 'Inactive'
      else 'Active' end as state,
    a.currency, a.available, a.held, coalesce(g.extended_to, a.expires_on) as "expiresOn", g.issued_at as "issuedAt", a.blocked_at as "blockedAt",
    coalesce(g.voided_at, g.merged_at, g.replaced_at, g.swept_at) as "endedAt"
  from (${cards}) g
  cross join lateral (
    select * from account where payee_id = g.payee_id and account_id = g.account_id limit 1
  ) a
  cross join lateral (
    select name from gift_card_product where payee_id = g.payee_id and product_id = g.product_id limit 1
  ) p`;

const IN_REACH = 'g.payee_id = $1::uuid and g.account_id >= $2::uuid and g.account_id < $3::uuid';
const NEWEST = (limit: string | number) => `
  select * from gift_card g where ${IN_REACH} order by g.account_id desc limit ${limit}`;

/** Gift cards, newest first. */
export const GIFT_CARDS: Statement = {
  name: 'portal-select-gift-cards',
  text: `${CARDS(NEWEST('$4::integer'))} order by g.account_id desc`,
};

/** The same of a product or in a state: looked for one after the other, up to a limit. */
export const GIFT_CARDS_SEARCHED: Statement = {
  name: 'portal-search-gift-cards',
  text: `
    select * from (${CARDS(`
      select * from (${NEWEST(PORTAL_SEARCH_ROWS)}) g where $5::text is null or g.product_id = $5::text`)}) c
    where $6::text is null or c.state = $6::text
    order by c."accountId" desc limit $4::integer`,
};

/** The last card that such a search looks at; no row where the list ends before. */
export const GIFT_CARDS_STOP: Statement = {
  name: 'portal-select-gift-cards-stop',
  text: `
    select g.account_id as id from gift_card g where ${IN_REACH}
    order by g.account_id desc offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
};

/** One gift card. */
export const ONE_GIFT_CARD: Statement = {
  name: 'portal-select-gift-card',
  text: CARDS('select * from gift_card g where g.payee_id = $1::uuid and g.account_id = $2::uuid'),
};

/** Gift cards of a list, with the place where a search stopped. */
export async function selectGiftCards(read: Read, list: GiftCardList): Promise<Found<ListedGiftCard>> {
  const { payeeId, reach, limit, productId, state } = list;
  const values = [payeeId, reach.from, reach.below, limit];
  if (productId === undefined && state === undefined) {
    return { rows: (await read<ListedGiftCard>(GIFT_CARDS, values)).rows, stoppedAt: undefined };
  }
  const { rows } = await read<ListedGiftCard>(GIFT_CARDS_SEARCHED, [...values, productId ?? null, state ?? null]);
  if (rows.length >= limit) return { rows, stoppedAt: undefined };
  return { rows, stoppedAt: (await read<{ id: string }>(GIFT_CARDS_STOP, values.slice(0, 3))).rows[0]?.id };
}

/** One gift card, or undefined. */
export async function selectGiftCard(
  read: Read,
  { payeeId, accountId }: AccountName,
): Promise<ListedGiftCard | undefined> {
  return (await read<ListedGiftCard>(ONE_GIFT_CARD, [payeeId, accountId])).rows[0];
}
