import { useInfiniteQuery } from '@tanstack/react-query';
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

/** A list of the portal's own API, page by page. `name` is the member that holds the rows. */
export function useList<Row>(path: string, name: string, query: Query = {}): List<Row> {
  const list = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam }) =>
      get<ListPage & Record<string, unknown>>(path, { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
  return {
    rows: list.data?.pages.flatMap((page) => page[name] as readonly Row[]),
    error: list.error,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage(),
    searchedTo: list.data?.pages.at(-1)?.searchedTo ?? null,
  };
}
