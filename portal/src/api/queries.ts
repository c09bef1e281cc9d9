import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import type { AnswerOf, Endpoint, Input } from './endpoints.types.ts';
import { getSession, listPayees } from './operations.generated.ts';
import { askPublic } from './send.ts';

interface Reading<Answer> {
  /** Milliseconds until it is read again while the screen is looked at; false: not by itself. */
  readonly again?: (answer: Answer) => number | false;
  /** Milliseconds for which what was read is taken for true. */
  readonly staleTime?: number;
  /** The state that the answer is about: read anew where that is another, and by no reload of the screen. */
  readonly of?: string;
}

/** Reads by an operation. Without input: not yet. What is read is kept under the operation and its input. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: Input<E> | undefined,
  { again = () => false, of, ...reading }: Reading<AnswerOf<E>> = {},
) {
  return useQuery({
    queryKey: of === undefined ? [endpoint, input] : [endpoint, input, { of }],
    queryFn: () => call(endpoint, input as Input<E>),
    enabled: input !== undefined,
    refetchInterval: ({ state: { data } }) => data !== undefined && again(data),
    ...reading,
  });
}

/** Reads what an answer leads to, in the public API, in a version of it where it has several. Without a link: not yet. */
export function useLinked<Answer>(payeeId: string, link: string | undefined, version?: string) {
  return useQuery({
    queryKey: ['link', payeeId, link],
    queryFn: () => askPublic<Answer>({ payeeId, method: 'GET', address: link as string, version }),
    enabled: link !== undefined,
  });
}

/** Reads again what the screen shows, after a change; what is about a state follows that: see `useRead`. */
export function useReload(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [read, , state] }) => read !== getSession && typeof state !== 'object',
    });
}

/** All payees of the installation, the oldest first. */
export const usePayees = () => useRead(listPayees, {});
