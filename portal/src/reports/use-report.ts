import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../app/session.tsx';
import { type Days, dayIn } from '../parts/days.ts';
import { type ReportFilters, readReportFilters } from './report-filters.ts';

/** Sums are told once they cannot change any more, ten seconds late. Who has just sold for the first time waits for it. */
export const AGAIN_MS = 10_000;

/** The report of the address: its days are those of this month where it names none. */
export function useReport() {
  const { timeZone } = useSession();
  const filters = useSearch({ from: '/gate/reports' });
  const navigate = useNavigate();
  const today = dayIn(timeZone, Date.now());
  const period = { from: filters.from ?? `${today.slice(0, 8)}01`, to: filters.to ?? today };
  const show = (change: Partial<Record<keyof ReportFilters, string | undefined>>) =>
    void navigate({ to: '/reports', search: readReportFilters({ ...filters, ...change }), replace: true });
  return { filters, period, show, showDays: ({ from, to }: Days) => show({ from, to }) };
}
