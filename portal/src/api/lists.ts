import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './call.ts';
import type { AnswerOf, Endpoint, Input, ListEndpoint, RowOf } from './endpoints.types.ts';

export interface List<Row> {
  /** Undefined until the first page is there. */
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** Where the service looks at so many at a time: how far back it went. */
  readonly searchedTo: string | null;
}

interface Page {
  readonly next: string | null;
  readonly searchedTo?: string | null;
}

/** Rows that a search without an index is to find before the user asks for more, and pages that it reads for them. */
const ROWS_SOUGHT = 20;
const PAGES_SOUGHT = 5;

/** Reads a list of the portal's own API, page by page. */
export function useList<E extends ListEndpoint>(endpoint: E, input: Input<E>): List<RowOf<E>> {
  const list = useInfiniteQuery({
    queryKey: [endpoint, input, 'pages'],
    queryFn: async ({ pageParam: cursor }) => {
      const query = { ...(input as { query?: object }).query, cursor };
      const { next, searchedTo = null, ...answer } = (await call(endpoint, { ...input, query })) as Page;
      // The rows stand under the list's own name: nothing else in the answer is a list.
      return { rows: Object.values(answer).find(Array.isArray) as readonly RowOf<E>[], next, searchedTo };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data, error } = list;
  const rows = data?.pages.flatMap((page) => page.rows);
  const searchedTo = data?.pages.at(-1)?.searchedTo ?? null;
  const isShort = searchedTo !== null && (rows?.length ?? 0) < ROWS_SOUGHT && (data?.pages.length ?? 0) < PAGES_SOUGHT;
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isShort, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    searchedTo,
  };
}

/** A page of a list of the public API: its rows, and the id to go on after; none where it is the last. */
export interface LongPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/** Reads a list of the public API whose pages follow each other by `after`. */
export function useLongList<E extends Endpoint, Row>(
  endpoint: E,
  input: Input<E>,
  pageOf: (answer: AnswerOf<E>) => LongPage<Row>,
): List<Row> {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [endpoint, input, 'pages'],
    queryFn: async ({ pageParam: after }) => {
      const query = { ...(input as { query?: object }).query, after };
      return pageOf(await call(endpoint, { ...input, query }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  return {
    rows: data?.pages.flatMap(({ rows }) => rows),
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    searchedTo: null,
  };
}
