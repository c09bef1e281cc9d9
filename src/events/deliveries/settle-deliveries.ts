import type { Transaction } from '../../db/transaction.types.ts';
import type { AuditAction } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import { SERVICE } from '../../kit/caller.ts';
import { WEBHOOK_PROBE_SECONDS } from '../../kit/limits.ts';
import type { PostOutcome, TakenDelivery, Webhook, WebhookKey } from '../events.types.ts';
import { lockWebhook, markRevival, saveHealth } from '../webhooks/webhooks.store.ts';
import { failureOf, judge, nextTry } from './deliveries.rules.ts';
import { insertTries, settleDeliveries } from './deliveries.store.ts';
import { keepToIndexesWithoutWaiting } from './plans.store.ts';

/** A delivery that was tried, and what came of it. */
export interface TriedDelivery {
  readonly delivery: TakenDelivery;
  readonly outcome: PostOutcome;
}

/**
 * Stores what became of tries: what was delivered, what is tried again and when, what is given up. A webhook that has
 * taken nothing since the first try of something that is given up is suspended; as soon as it takes anything again, what
 * was given up meanwhile is put back in line. One that answers 410 is disabled. What a crash undoes of this is delivered
 * once more.
 */
export async function settleTries(
  transaction: Transaction,
  key: WebhookKey,
  tried: readonly TriedDelivery[],
): Promise<void> {
  // The webhook first, as everywhere: who changes it waits here.
  const [, locked] = await Promise.all([keepToIndexesWithoutWaiting(transaction), lockWebhook(transaction, key)]);
  const [webhook] = locked.rows;
  if (webhook === undefined) return;
  const settlements = tried.map(({ delivery: { position, tries }, outcome }) => {
    return { position, tries, isDelivered: judge(outcome) === 'Delivered', ...nextTry(tries) };
  });
  const log = tried.map(({ delivery: { position }, outcome }) => {
    return { ...outcome, position, failure: failureOf(outcome) };
  });
  const [{ rows: settled }, logged] = await Promise.all([
    settleDeliveries(transaction, key, settlements),
    insertTries(transaction, key, log),
  ]);
  assert(logged === tried.length, 'every try is logged');
  const verdicts = tried.map(({ outcome }) => judge(outcome));
  // Of a receiver of callbacks one address is gone, and not all of them: that is a failure as any other.
  if (verdicts.includes('Gone') && webhook.callbackOrigin === null) return disable(transaction, webhook);
  if (verdicts.includes('Delivered')) return noteSuccess(transaction, webhook);
  const { lastSuccessAt } = webhook;
  const isDown = settled.some(
    ({ state, firstTriedAt }) => state === 'GivenUp' && (lastSuccessAt === null || lastSuccessAt < firstTriedAt),
  );
  if (isDown || webhook.state === 'Suspended') await suspend(transaction, webhook);
}

async function noteSuccess(transaction: Transaction, webhook: Webhook): Promise<void> {
  const isBack = webhook.state === 'Suspended';
  if (isBack) await markRevival(transaction, webhook, webhook.lastSuccessAt);
  const state = isBack ? 'Enabled' : webhook.state;
  await saveHealth(transaction, webhook, { state, probeAfterSeconds: null, hasSucceeded: true });
  if (isBack) await note(transaction, webhook, 'resume-webhook');
}

async function suspend(transaction: Transaction, webhook: Webhook): Promise<void> {
  if (webhook.state === 'Disabled') return;
  const health = { state: 'Suspended', probeAfterSeconds: WEBHOOK_PROBE_SECONDS, hasSucceeded: false } as const;
  await saveHealth(transaction, webhook, health);
  if (webhook.state === 'Enabled') await note(transaction, webhook, 'suspend-webhook');
}

async function disable(transaction: Transaction, webhook: Webhook): Promise<void> {
  if (webhook.state === 'Disabled') return;
  await saveHealth(transaction, webhook, { state: 'Disabled', probeAfterSeconds: null, hasSucceeded: false });
  await note(transaction, webhook, 'disable-webhook');
}

function note(transaction: Transaction, { payeeId, webhookId }: WebhookKey, action: AuditAction): Promise<void> {
  return writeAudit(transaction, [{ payeeId, actor: SERVICE, action, objectId: webhookId }]);
}
