import { Badge } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';
import type { Delivery, Webhook } from './webhook.types.ts';

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
  const { t } = useWords();
  const [word, tone] = isFailing && state === 'Enabled' ? (['failing', 'bad'] as const) : WEBHOOK[state];
  return <Badge tone={tone}>{t(word)}</Badge>;
}

const DELIVERY = {
  Waiting: ['waiting', 'warn'],
  Delivered: ['delivered', 'good'],
  GivenUp: ['givenUp', 'bad'],
} as const;

export function DeliveryBadge({ state }: { readonly state: Delivery['state'] }) {
  const { t } = useWords();
  const [word, tone] = DELIVERY[state];
  return <Badge tone={tone}>{t(word)}</Badge>;
}
