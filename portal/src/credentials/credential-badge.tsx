import { Badge } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';

const TONES = { Active: 'good', Expiring: 'warn', Expired: 'neutral', Revoked: 'neutral' } as const;

export function CredentialBadge({ state }: { readonly state: keyof typeof TONES }) {
  const { t } = useWords();
  return <Badge tone={TONES[state]}>{t(state)}</Badge>;
}
