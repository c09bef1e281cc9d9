import { Badge } from '../parts/badge.tsx';

/** The status of an answer: what is refused is not as bad as what broke. */
export function StatusBadge({ status }: { readonly status: number }) {
  return <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Badge>;
}
