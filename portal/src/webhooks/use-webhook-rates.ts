import { useQuery } from '@tanstack/react-query';
import { get } from '../api/portal-api.ts';
import type { WebhookRate } from '../api/types.ts';
import { useSession } from '../app/session.tsx';

/** How the latest deliveries to each webhook went, and whether it has taken nothing lately though it is enabled. */
export function useWebhookRates() {
  const { payeeId } = useSession();
  const path = `/payees/${payeeId}/webhook-rates`;
  const { data } = useQuery({
    queryKey: [path],
    queryFn: () => get<{ webhooks: readonly WebhookRate[] }>(path),
  });
  const rateOf = (webhookId: string) => data?.webhooks.find((rate) => rate.webhookId === webhookId);
  return { rateOf, isFailing: (webhookId: string) => rateOf(webhookId)?.isFailing ?? false };
}
