import { describe, expect, test } from 'vitest';
import type { TokenCollection } from '../../client/kontor.generated.ts';
import { call, follow, linkTo } from '../../portal/src/api/call.ts';
import type { useList } from '../../portal/src/api/lists.ts';
import {
  archiveToken,
  createWebhook,
  exportPayments,
  getPaymentStory,
  listPayees,
  listUsers,
  searchPayments,
} from '../../portal/src/api/operations.generated.ts';

const PAYEE = 'f0000000-0000-4000-8000-000000000001';

describe('an operation', () => {
  test('is found at its address, whatever its parameters are', () => {
    expect(linkTo(getPaymentStory, { payeeId: PAYEE, paymentId: '../a b?c' })).toBe(
      `/portal/api/payees/${PAYEE}/payments/..%2Fa%20b%3Fc`,
    );
    const query = { search: 'a&b=c', state: undefined };
    expect(linkTo(exportPayments, { payeeId: PAYEE, query })).toBe(
      `/portal/api/payees/${PAYEE}/payments.csv?search=a%26b%3Dc`,
    );
    expect(() => linkTo(listUsers, { payeeId: '' })).toThrow('The address needs payeeId.');
  });

  test('that is not offered is not followed', () => {
    const [token] = [{ operations: [] } as unknown as TokenCollection['tokens']['tokenlist'][number]];
    const body = { reason: 'lost', updatedBy: 'PAYEE' } as const;
    expect(() => follow(token, 'archive-token', { payeeId: PAYEE, body })).toThrow('archive-token is not offered.');
  });
});

/**
 * Held by the compiler: `npm run check` fails where one of these lines is right. None is run. A renamed operation fails by
 * its import.
 */
const MISTAKES = [
  // @ts-expect-error: a parameter of the path is missing
  () => call(listUsers, {}),
  // @ts-expect-error: no operation has this parameter
  () => call(listUsers, { payeeId: PAYEE, userId: PAYEE }),
  // @ts-expect-error: an operation without parameters takes none
  () => call(listPayees, { payeeId: PAYEE }),
  // @ts-expect-error: a value that the service does not know
  () => call(searchPayments, { payeeId: PAYEE, query: { state: 'Captrued' } }),
  // @ts-expect-error: a name that the query does not have
  () => call(searchPayments, { payeeId: PAYEE, query: { status: 'Captured' } }),
  // @ts-expect-error: the body is missing
  () => call(archiveToken, { payeeId: PAYEE, tokenId: PAYEE }),
  // @ts-expect-error: a member of the body is missing
  () => call(archiveToken, { payeeId: PAYEE, tokenId: PAYEE, body: { reason: 'lost' } }),
  // @ts-expect-error: the public API is called for a payee
  () => call(createWebhook, { body: { url: 'https://shop.example' } }),
  // @ts-expect-error: the answer has no such member
  async () => (await call(listUsers, { payeeId: PAYEE })).people,
  // @ts-expect-error: not in the documents
  () => call('GET /portal/api/people', {}),
  // @ts-expect-error: no operation of a token
  (token: TokenCollection['tokens']['tokenlist'][number]) => follow(token, 'archive', { payeeId: PAYEE }),
  // @ts-expect-error: answers no pages
  (list: typeof useList) => list(listUsers, { payeeId: PAYEE }),
] as const;

test('that is called wrongly does not compile', () => {
  expect(MISTAKES).toHaveLength(12);
});
