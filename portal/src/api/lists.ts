import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from './portal-api.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

/** A page of a list, under the list's own name. */
interface ListPage {
  readonly next: string | null;
  /** Where the service looks at so many at a time: how far back it went. */
  readonly searchedTo?: string | null;
}

export interface List<Row> {
  /** Undefined until the first page is there. */
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly searchedTo: string | null;
}

/** Rows that a search without an index is to find before somebody asks for more, and pages that it reads for them. */
const ROWS_SOUGHT = 20;
const PAGES_SOUGHT = 5;

/** A list of the portal's own API, page by page. `name` is the member that holds the rows. */
export function useList<Row>(path: string, name: string, query: Query = {}): List<Row> {
  const list = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam }) =>
      get<ListPage & Record<string, unknown>>(path, { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data, error } = list;
  const rows = data?.pages.flatMap((page) => page[name] as readonly Row[]);
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
