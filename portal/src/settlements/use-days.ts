import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Days } from '../parts/days.ts';
import { readSettlementFilters } from './settlement-filters.ts';

/** The days that the address names, and a way to have it name others: a list can be sent to a colleague. */
export function useDays(): readonly [Days, (days: Days) => void] {
  const { tab, ...days } = useSearch({ from: '/gate/settlements' });
  const navigate = useNavigate();
  const show = (next: Days) =>
    void navigate({ to: '/settlements', search: readSettlementFilters({ tab, ...next }), replace: true });
  return [days, show];
}
