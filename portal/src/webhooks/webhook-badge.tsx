import type { DeliveryAnswer, Webhook } from '../../../client/kontor.generated.ts';
import { getWebhookRates } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { StateBadge } from '../parts/badge.tsx';

/** How the latest deliveries to each webhook went, and whether it has taken nothing lately though it is enabled. */
export function useWebhookRates() {
  const { payeeId } = useSession();
  const { data } = useRead(getWebhookRates, { payeeId });
  const rateOf = (webhookId: string) => data?.webhooks.find((rate) => rate.webhookId === webhookId);
  return { rateOf, isFailing: (webhookId: string) => rateOf(webhookId)?.isFailing ?? false };
}

const WEBHOOK = {
  Enabled: ['enabled', 'good'],
  Suspended: ['suspended', 'bad'],
  Disabled: ['disabled', 'neutral'],
  Deleted: ['deleted', 'neutral'],
} as const;

interface WebhookBadgeProps {
  readonly state: Webhook['state'];
  /** Whether it is enabled and takes nothing. */
  readonly isFailing: boolean;
}

export function WebhookBadge({ state, isFailing }: WebhookBadgeProps) {
  return <StateBadge shown={isFailing && state === 'Enabled' ? ['failing', 'bad'] : WEBHOOK[state]} />;
}

const DELIVERY = {
  Waiting: ['waiting', 'warn'],
  Delivered: ['delivered', 'good'],
  GivenUp: ['givenUp', 'bad'],
} as const;

export function DeliveryBadge({ state }: Pick<DeliveryAnswer['delivery'], 'state'>) {
  return <StateBadge shown={DELIVERY[state]} />;
}
