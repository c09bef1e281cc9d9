import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, type OpenedAccount } from '../support/shop/accounts-shop.ts';
import { cardCommand } from '../support/shop/card-command.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
let cards: CardShop;
let giftCards: ReturnType<typeof cardCommand>['run'];
let json: ReturnType<typeof cardCommand>['json'];
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
  cards = cardShop(kontor);
  ({ run: giftCards, json } = cardCommand(kontor));
});
afterAll(() => kontor.stop());

describe('kontor gift-cards', () => {
  test('shows a card by its id, and by its number from the standard input', async () => {
    const card = await cards.issue(500);
    const text = await giftCards(['show', card.paymentAccountId]);
    expect(text).toContain('is active.');
    expect(text).toContain('Possible: block, void, merge, replace.');
    expect(await giftCards(['show', '--number'], card.accountKey)).toBe(text);
    expect(text).not.toContain(card.accountKey);
  });

  test('takes each step', async () => {
    const [one, two, three] = [await cards.issue(500), await cards.issue(300), await cards.issue(0)];
    const id = one.paymentAccountId;
    expect(await json(['block', id, '--reason', 'Lost'])).toMatchObject({ accountId: id, state: 'Blocked' });
    expect(await json(['unblock', '--number'], one.accountKey)).toMatchObject({ state: 'Active' });
    expect(await json(['merge', id, '--into', two.paymentAccountId])).toMatchObject({
      mergedInto: two.paymentAccountId,
    });
    expect(await json(['void', three.paymentAccountId])).toMatchObject({ state: 'Voided', possible: [] });
    const replaced = await json(['replace', two.paymentAccountId, '--reference', 'lost-1']);
    expect(replaced.replacement.number).toMatch(/^[0-9]{16}$/);
    const again = await giftCards(['replace', two.paymentAccountId, '--reference', 'lost-1']);
    expect(again).toContain(`number ${replaced.replacement.number}, cvc ${replaced.replacement.cvc}.`);
    const rows = await kontor.database.asAdmin(
      `select concat_ws(':', actor_kind, actor_id) as actor, session_id from audit where action = 'block-gift-card' and object_id = '${id}'`,
    );
    expect(rows).toEqual([{ actor: 'operator:cli', session_id: null }]);
  });

  test('refuses what has no card, a reference or a reason that breaks its rules', async () => {
    const card = await cards.issue(500);
    await expect(giftCards(['block'])).rejects.toThrow('Name the card');
    await expect(giftCards(['block', card.paymentAccountId, '--number'])).rejects.toThrow('Name the card');
    await expect(giftCards(['block', '--number'], '9999999999999999')).rejects.toMatchObject({ code: 'notfound' });
    await expect(giftCards(['block', card.paymentAccountId, '--reference', 'a b'])).rejects.toMatchObject({
      code: 'inputerror',
    });
    await expect(giftCards(['block', card.paymentAccountId, '--reason', card.accountKey])).rejects.toMatchObject({
      code: 'inputerror',
    });
    await expect(giftCards(['unblock', card.paymentAccountId])).rejects.toThrow('The card is not blocked.');
  });
});

describe('kontor gift-cards sweep', () => {
  test('sweeps all cards that have expired, each once, and leaves the others', async () => {
    const sek = await cards.product({ productId: 'sek' as never, currency: 'SEK' as never });
    const expired = [await cards.issue(100), await cards.issue(20), await cards.issue(0), await cards.issue(3, sek)];
    const held = await cards.issue(50);
    await shop.pay('authorize', held, { amount: 10 });
    const good = await cards.issue(70);
    await cards.expire(...expired, held);
    expect(await json(['sweep'])).toEqual({ cards: 4, amounts: { NOK: 160, SEK: 3 } });
    expect(await giftCards(['sweep'])).toBe('No expired card has anything left.');
    const states = await Promise.all([...expired, held, good].map(cards.show));
    expect(states.map(({ body }) => [body.giftCard.state, body.giftCard.balance])).toEqual([
      ['Swept', 0],
      ['Swept', 0],
      ['Expired', 0],
      ['Swept', 0],
      ['Expired', 0],
      ['Active', 70],
    ]);
  });

  test('sweeps one card where it is named', async () => {
    const [one, other] = [await cards.issue(100), await cards.issue(100)];
    await cards.expire(one, other);
    expect(await json(['sweep', one.paymentAccountId])).toMatchObject({ state: 'Swept' });
    expect((await cards.show(other)).body.giftCard.balance).toBe(100);
    await giftCards(['sweep']);
  });

  test('may run beside another one, over more cards than a page of it', async () => {
    const card = await cards.issue(1);
    await kontor.database.asAdmin(`
      with copies as (
        insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id,
          number_masked, available, entry_count, expires_on, expires_at)
        select payee_id, gen_random_uuid(), kind, instrument, issuer, currency, sha256(n::text::bytea), number_key_id,
          number_masked, 0, 0, expires_on, expires_at
        from account cross join generate_series(1, 4500) n where account_id = '${card.paymentAccountId}'
        returning account_id
      )
      insert into gift_card (payee_id, account_id, product_id, number_sealed, sealed_with, issued_at, event_sequence)
      select g.payee_id, c.account_id, g.product_id, g.number_sealed, g.sealed_with, g.issued_at, 1
      from gift_card g cross join copies c where g.account_id = '${card.paymentAccountId}'`);
    const expired: OpenedAccount[] = [];
    // A few at a time: all at once would wait for a connection for longer than a request may.
    while (expired.length < 250) {
      expired.push(...(await Promise.all(Array.from({ length: 50 }, () => cards.issue(2)))));
    }
    await cards.expire(...expired);
    const both = await Promise.all([json(['sweep']), json(['sweep'])]);
    expect(both[0].cards + both[1].cards).toBe(250);
    expect((both[0].amounts.NOK ?? 0) + (both[1].amounts.NOK ?? 0)).toBe(500);
  });
});
