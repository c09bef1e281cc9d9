import type { Transaction } from '../../db/transaction.types.ts';
import { DUE_WEBHOOKS, ROW_CRASHES, WEBHOOK_PROBE_SECONDS } from '../../kit/limits.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { TakenDelivery, Webhook, WebhookKey } from '../events.types.ts';
import { ensureCallbackSecret } from '../webhooks/callback-secret.ts';
import { openSigningSecrets } from '../webhooks/signing-secrets.ts';
import { claimProbe, lockWebhook, moveRevival, selectWebhook } from '../webhooks/webhooks.store.ts';
import { insertTries, reviveSome, selectDueWebhooks, takeDue, takeProbe } from './deliveries.store.ts';
import { keepToIndexes, keepToIndexesWithoutWaiting } from './plans.store.ts';

/**
 * Seconds until another process may try a delivery that was taken out: longer than a try takes, also on a slow machine.
 */
const DELIVERY_LEASE_SECONDS = 60;
/** Deliveries to one webhook that are under way at once in one instance: a shop's server is not to be flooded. */
const DELIVERIES_AT_ONCE = 16;
/** Deliveries that one transaction puts back in line: some tens of milliseconds of work. */
const REVIVED_AT_ONCE = 1_000;

/** Deliveries that are to be tried, and what is needed for it. */
export interface Taken {
  readonly webhook: Webhook;
  readonly secrets: readonly Secret[];
  /** None where some were put back in line instead: there is more to do. */
  readonly deliveries: readonly TakenDelivery[];
}

/**
 * Takes out what can be delivered to a webhook now, of each resource one event at most; of a suspended webhook one alone.
 * The process that takes it has a minute; then it counts as abandoned, and is tried again.
 *
 * @returns undefined where there is nothing to do
 */
export async function takeDeliveries(
  transaction: Transaction,
  kontor: Kontor,
  key: WebhookKey,
): Promise<Taken | undefined> {
  const [, found] = await Promise.all([
    keepToIndexesWithoutWaiting(transaction),
    selectWebhook(transaction.run.bind(transaction), key),
  ]);
  const [webhook] = found.rows;
  if (webhook === undefined || webhook.state === 'Disabled') return undefined;
  if (webhook.state === 'Enabled' && webhook.revivingAfter !== null) {
    await revive(transaction, key);
    return { webhook, secrets: [], deliveries: [] };
  }
  const deliveries = await (webhook.state === 'Suspended' ? probe(transaction, webhook) : due(transaction, key));
  if (deliveries.length === 0) return undefined;
  const { toTry, setAside } = apart(deliveries);
  if (setAside.length > 0) await insertTries(transaction, key, setAside.map(setAsideTry));
  return { webhook, secrets: await secretsFor(transaction, kontor, webhook), deliveries: toTry };
}

/** Puts some of a webhook's deliveries back in line. Before all are, none is taken: those of a resource keep their order. */
async function revive(transaction: Transaction, key: WebhookKey): Promise<void> {
  const [webhook] = (await lockWebhook(transaction, key)).rows;
  if (webhook === undefined || webhook.revivingAfter === null) return;
  const last = await reviveSome(transaction, key, { after: webhook.revivingAfter, limit: REVIVED_AT_ONCE });
  await moveRevival(transaction, key, last);
}

/** Those that were under way at too many ends of processes are set aside: see `takeDue`. */
function apart(deliveries: readonly TakenDelivery[]) {
  const isSetAside = ({ crashes }: TakenDelivery) => crashes >= ROW_CRASHES;
  return {
    toTry: deliveries.filter((delivery) => !isSetAside(delivery)),
    setAside: deliveries.filter(isSetAside),
  };
}

function setAsideTry({ position }: TakenDelivery) {
  return { position, status: null, failure: 'set-aside' as const, answer: '', durationMs: 0 };
}

/** A payee whose callback secret was not asked for yet gets it now. */
async function secretsFor(
  transaction: Transaction,
  kontor: Kontor,
  { payeeId, webhookId, callbackOrigin }: Webhook,
): Promise<readonly Secret[]> {
  const owner = { payeeId, webhookId: callbackOrigin === null ? webhookId : null };
  const secrets = await openSigningSecrets(transaction.run.bind(transaction), kontor.keyRing, owner);
  if (secrets.length > 0 || callbackOrigin === null) return secrets;
  return [await ensureCallbackSecret(transaction, kontor, payeeId)];
}

async function due(transaction: Transaction, key: WebhookKey): Promise<readonly TakenDelivery[]> {
  const bounds = { limit: DELIVERIES_AT_ONCE, leaseSeconds: DELIVERY_LEASE_SECONDS };
  return (await takeDue(transaction, key, bounds)).rows;
}

async function probe(transaction: Transaction, webhook: Webhook): Promise<readonly TakenDelivery[]> {
  if ((await claimProbe(transaction, webhook, WEBHOOK_PROBE_SECONDS)) === 0) return [];
  const { lastSuccessAt } = webhook;
  return (await takeProbe(transaction, webhook, { leaseSeconds: DELIVERY_LEASE_SECONDS, lastSuccessAt })).rows;
}

/** Webhooks that something can be tried at now. */
export async function dueWebhooks(transaction: Transaction): Promise<readonly WebhookKey[]> {
  await keepToIndexes(transaction);
  const { rows } = await selectDueWebhooks(transaction, DUE_WEBHOOKS);
  return rows;
}
