import { useQuery } from '@tanstack/react-query';
import { useSession } from '../app/session.tsx';
import { request } from './public-api.ts';

/** Reads from the public API, with the session's credentials. Undefined: not yet. */
export function usePublic<Answer>(href: string | undefined) {
  const { payeeId } = useSession();
  return useQuery({
    queryKey: ['public', payeeId, href],
    queryFn: () => request<Answer>({ payeeId, method: 'GET', href: href ?? '' }),
    enabled: href !== undefined,
  });
}
