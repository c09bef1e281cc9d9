import { afterAll, beforeAll, describe } from 'vitest';
import { brokenInvariants } from '../support/crash/books.ts';
import { type Damage, testDamages } from '../support/crash/damages.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardShop } from '../support/shop/card-shop.ts';

let kontor: TestService;
let voided: string;
let fresh: string;
beforeAll(async () => {
  kontor = await testService();
  const cards = cardShop(kontor);
  const [one, two] = [await cards.issue(100), await cards.issue(0)];
  voided = one.paymentAccountId;
  fresh = two.paymentAccountId;
  await cards.step('void', one, { transactionRef: 'void-1' });
});
afterAll(() => kontor.stop());

describe('ledger verify finds', () => {
  const DAMAGES: readonly Damage[] = [
    [
      'a card that has ended, whose account is open',
      () => `update account set closed_at = null where account_id = '${voided}'`,
      () => `update account set closed_at = kontor_now() where account_id = '${voided}'`,
      /has ended where its account is closed/,
      () => `account ${voided}`,
    ],
    [
      'a closed account whose card has not ended',
      () => `update account set closed_at = kontor_now() where account_id = '${fresh}'`,
      () => `update account set closed_at = null where account_id = '${fresh}'`,
      /has ended where its account is closed/,
      () => `account ${fresh}`,
    ],
    [
      'an end that was not asked for',
      () => `update gift_card set voided_at = null, swept_at = voided_at where account_id = '${voided}'`,
      () => `update gift_card set voided_at = swept_at, swept_at = null where account_id = '${voided}'`,
      /was asked to/,
      () => `gift card ${voided}`,
    ],
    [
      'a step without its reference',
      () => `update reference set reference = 'void-2' where reference = 'void-1'`,
      () => `update reference set reference = 'void-1' where reference = 'void-2'`,
      /has its reference/,
      () => 'step void-1',
    ],
    [
      'an event that is missing',
      () => `update gift_card set event_sequence = event_sequence + 1 where account_id = '${fresh}'`,
      () => `update gift_card set event_sequence = event_sequence - 1 where account_id = '${fresh}'`,
      /events of each gift card/,
      () => `gift card ${fresh}`,
    ],
  ];

  testDamages(DAMAGES, { run: (sql) => kontor.database.asAdmin(sql), broken: () => brokenInvariants(kontor) });
});
