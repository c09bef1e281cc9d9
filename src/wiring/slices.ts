import { composeAccounts } from '../accounts/compose.ts';
import { ACCOUNT_PAYMENTS } from '../accounts/payment-shelves.ts';
import { composeBrowserFiles } from '../browser-files/compose.ts';
import type { BatchObserver } from '../db/batch/batch.types.ts';
import { composeEvents } from '../events/compose.ts';
import { composeGiftCards } from '../gift-cards/compose.ts';
import type { AcquirersSetup } from '../issuers/acquirers/acquirers.types.ts';
import { composeThreeDS } from '../issuers/authentication/compose.ts';
import { composeIssuers } from '../issuers/compose.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { composeKeys } from '../keys/compose.ts';
import type { KeyStorage, KeysOfPortal, KeyUse } from '../keys/keys.types.ts';
import { OPERATOR } from '../kit/ids.ts';
import type { Kontor } from '../kontor.types.ts';
import { composeLedger } from '../ledger/compose.ts';
import { composeMerchants } from '../merchants/compose.ts';
import { composeOrders } from '../orders/compose.ts';
import { composePayments } from '../payments/compose.ts';
import { composePortal } from '../portal/compose.ts';
import { composePortalUsers } from '../portal-users/compose.ts';
import { composeSettlements } from '../settlements/compose.ts';
import { settlingHosts } from '../settlements/settling-hosts.ts';
import { composeTokens } from '../tokens/compose.ts';
import { composeVault } from '../vault/compose.ts';
import { INSTANCE, LINES_PARTS } from './acquirers.ts';
import type { Sandbox } from './sandbox.types.ts';
import { WRITERS } from './writers.ts';

/** What all slices are composed of. */
export interface SliceParts extends Kontor, KeyStorage {
  /** Where cards are charged. */
  readonly acquirers: AcquirersSetup;
  /** Undefined in production. */
  readonly sandbox: Sandbox | undefined;
  /** Is told how batches of money go. */
  readonly observer: BatchObserver;
}

/** Every slice, composed. */
export type Slices = ReturnType<typeof composeSlices>;

/**
 * Composes the slices, from the lowest, each of what it needs of the process and of those below it. What they serve, `routes.ts` and
 * `jobs.ts` ask of their `serving.ts`. A new slice is a line here.
 */
export function composeSlices(parts: SliceParts) {
  const { acquirers, sandbox, keyProvider, observer, ...kontor } = parts;
  const vault = composeVault(kontor);
  const merchants = composeMerchants(kontor);
  const portalUsers = composePortalUsers(kontor);
  const tokens = composeTokens(kontor);
  const ledger = composeLedger({
    ...kontor,
    ...ACCOUNT_PAYMENTS,
    writers: WRITERS,
    observer,
    invariants: () => [accounts, giftCards, payments, orders, settlements].flatMap(({ invariants }) => invariants),
  });
  const { submit } = ledger.ledger;
  const issuers = composeIssuers({
    ...kontor,
    acquirers,
    testAcquirer: sandbox?.acquirer,
    linesParts: LINES_PARTS,
    updateCard: tokens.updateCard,
    settlers: (transact) => ({ AccountPayment: accounts.settler(transact), CardPayment: payments.settler }),
  });
  const { originalExchange, ...asking } = issuers.asker;
  const accounts: Accounts = composeAccounts({ ...kontor, ...asking, originalExchange, ledger: ledger.ledger });
  const giftCards: GiftCards = composeGiftCards(accounts.context);
  const threeDS = composeThreeDS({ ...kontor, acquirers, testThreeDS: sandbox?.threeDS, trace: issuers.trace });
  const payments: Payments = composePayments({
    ...kontor,
    ...asking,
    threeDS: threeDS.current,
    testCards: sandbox?.testCards ?? [],
    submit,
    submitOfOrder: (kind, command, orderId) => orders.submitOfOrder(kind, command, orderId),
    cardholderOf: (order) => orders.cardholderOf(order),
    tokens: tokens.context,
    newToken: tokens.context.newToken,
    orders: () => orders.pages(),
  });
  const orders: Orders = composeOrders({
    ...kontor,
    cardPayments: payments.context,
    accounts: accounts.context,
    submit,
  });
  const settlements = composeSettlements({ ...kontor, hosts: hostsOf(parts, issuers) });
  const events = composeEvents(kontor);
  const lines = { setup: acquirers, lineStates: issuers.lineStates, instance: INSTANCE };
  const portal = composePortal({ ...kontor, issuers: asking.issuers, acquirers: lines });
  const keyed = [vault, tokens, ledger, threeDS, giftCards, payments, orders, merchants, events, portalUsers, portal];
  const keys = keysOf(parts, keyed);
  return {
    browserFiles: composeBrowserFiles(kontor.database),
    tokens,
    payments,
    orders,
    accounts,
    giftCards,
    settlements,
    events,
    merchants,
    portalUsers,
    vault,
    keys,
    ledger,
    issuers,
    threeDS,
    portal,
  };
}

/** Keys, with what each slice uses them for. */
function keysOf(
  { database, keyRing, keyProvider }: SliceParts,
  keyed: readonly { readonly keyUses: readonly KeyUse[] }[],
) {
  const keyUses = () => keyed.flatMap((slice) => slice.keyUses);
  return composeKeys({ database, keyRing, keyProvider, keyUses, auditBy: auditKeysBy });
}

/** The acquirers that settlement asks for days: those of the sandbox's own acquirer come of themselves. */
function hostsOf(
  { config, acquirers }: SliceParts,
  { linkTo: link, asker: { newExchange } }: ReturnType<typeof composeIssuers>,
) {
  return settlingHosts({ setup: config.mode === 'sandbox' ? undefined : acquirers, link, newExchange });
}

/** Schemas take longer to make than all else that a command loads. */
const readers = () => import('./commands/line-readers.ts');

/** What the commands of all slices need of the service, by their names. */
export function commandServices({ slices, database, cardPrefixes }: SliceParts & { readonly slices: Slices }) {
  const {
    merchants,
    portalUsers,
    vault,
    tokens,
    ledger,
    accounts,
    giftCards,
    orders,
    settlements,
    events,
    portal,
    keys,
    issuers,
  } = slices;
  return {
    ...merchants.commands,
    ...portalUsers.commands,
    ...vault.commands,
    ...ledger.commands,
    ...issuers.commands,
    ...accounts.commands,
    ...giftCards.commands,
    ...orders.commands,
    tokens: async () => tokens.commands.tokens((await readers()).tokenReaders(cardPrefixes)),
    cardLife: async () => giftCards.commands.cardLife((await readers()).stepWords(cardPrefixes)),
    cardImport: async () => giftCards.commands.cardImport((await readers()).cardReader(cardPrefixes)),
    settlements: () => settlements.commands.settlements(portal),
    ...events.commands,
    ...portal.commands,
    ...keys.commands,
    background: () => database,
  };
}

// Named, because what is below them asks them later.
type Accounts = ReturnType<typeof composeAccounts>;
type GiftCards = ReturnType<typeof composeGiftCards>;
type Payments = ReturnType<typeof composePayments>;
type Orders = ReturnType<typeof composeOrders>;

/** Writes down what an operator does to keys. Keys belong to the operator. */
export const auditKeysBy: KeysOfPortal['auditBy'] = (actor) => (transaction, events) =>
  writeAudit(
    transaction,
    events.map(({ action, objectId }) => ({ payeeId: OPERATOR, actor, action, objectId })),
  );
