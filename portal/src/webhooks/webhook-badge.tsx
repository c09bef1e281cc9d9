import { Badge } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';
import type { Delivery, Webhook } from './webhook.types.ts';

const WEBHOOK = {
  Enabled: ['enabled', 'good'],
  Suspended: ['suspended', 'bad'],
  Disabled: ['disabled', 'neutral'],
  Deleted: ['deleted', 'neutral'],
} as const;

export function WebhookBadge({ state }: { readonly state: Webhook['state'] }) {
  const { t } = useWords();
  const [word, tone] = WEBHOOK[state];
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
