import type { Read } from '../../db/transaction.types.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PAYER_REFERENCE_CHARACTERS } from '../../kit/limits.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { readLimit } from '../newest-first.rules.ts';
import { type ListedPayer, selectPayers } from '../payments/payers.store.ts';
import { DaysQuery, GettingStarted, PayersAnswer, PayersQuery, Statistics, WebhookRatesAnswer } from './home.wire.ts';
import { showGettingStarted, statisticsReader } from './show-statistics.ts';
import { selectWebhookRates } from './webhook-rates.store.ts';

const HERE = '/portal/api/payees/:payeeId';

/** What the portal begins with, and what its pages need beside the API. */
export function portalHomeRoutes({ database }: Kontor): AnyPortalRoute[] {
  const { read } = database;
  const showStatistics = statisticsReader(read, () => performance.now());
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/statistics`,
      operationId: 'getStatistics',
      tag: 'Home',
      summary: 'See what some days came to',
      shape: { params: PayeeParams, query: DaysQuery, body: undefined, answer: Statistics },
      handle: ({ payeeId, query }) => showStatistics(payeeId, query),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/getting-started`,
      operationId: 'getGettingStarted',
      tag: 'Home',
      summary: 'See what there is to do before the first payment',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: GettingStarted },
      handle: ({ payeeId }) => showGettingStarted(read, payeeId),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/webhook-rates`,
      operationId: 'getWebhookRates',
      tag: 'Webhooks',
      summary: 'See how the latest deliveries to each webhook went',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: WebhookRatesAnswer },
      handle: async ({ payeeId }) => ({ webhooks: [...(await selectWebhookRates(read, payeeId))] }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/payers`,
      operationId: 'searchPayers',
      tag: 'Payers',
      summary: 'List payers by what their reference begins with',
      shape: { params: PayeeParams, query: PayersQuery, body: undefined, answer: PayersAnswer },
      handle: async ({ payeeId, query }) => {
        const { payers, next } = await searchPayers(read, payeeId, query);
        return { payers, next };
      },
    }),
  ];
}

/** A list of payers as a request asks for it: the cursor is the last reference of the page before. */
interface AskedPayers {
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/**
 * A page of a payee's payers whose reference begins with a text, in the order of the references.
 *
 * @throws Refusal `inputerror`
 */
async function searchPayers(
  read: Read,
  payeeId: PayeeId,
  { search = '', cursor = '', limit: asked }: AskedPayers,
): Promise<{ readonly payers: readonly ListedPayer[]; readonly next: string | null }> {
  const limit = readLimit(asked);
  refuseLong({ search, cursor });
  const found = await selectPayers(read, { payeeId, beginning: search, after: cursor, limit: limit + 1 });
  const payers = found.slice(0, limit);
  return { payers, next: found.length > limit ? (payers.at(-1)?.payerReference ?? null) : null };
}

function refuseLong(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text.length > PAYER_REFERENCE_CHARACTERS || text.includes('\0')) {
      throw inputError(name, `must have at most ${PAYER_REFERENCE_CHARACTERS} characters`);
    }
  }
}
