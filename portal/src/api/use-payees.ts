import { useQuery } from '@tanstack/react-query';
import { get } from './portal-api.ts';
import type { Payee } from './types.ts';

/** All payees of the installation, the oldest first. */
export const usePayees = () =>
  useQuery({ queryKey: ['/payees'], queryFn: () => get<{ payees: readonly Payee[] }>('/payees') });
