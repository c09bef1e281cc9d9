import type { Credentials } from './credentials.ts';
import type { HmacKey } from './hmac.ts';
import type { Operations } from './kontor.generated.ts';
import type { AnswerOf, BodyOf, Rel } from './rels.types.ts';
import type { Retries } from './repeating.ts';

/** What a client is made with. */
export interface ClientOptions {
  /** Where the service is, as it names itself: its links must begin with it. */
  readonly baseUrl: string;
  /** Without them the requests carry no `Authorization`: for a page of the service's own, whose cookie is enough. */
  readonly credentials?: Credentials | undefined;
  /** Signs what lies below `/api/payments`. */
  readonly hmac?: HmacKey | undefined;
  /** Version of the API. Default: `3.1`, which the types of this client are of. */
  readonly version?: string | undefined;
  /** Further headers of each request. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Milliseconds for one try. Default: 150 000, which is longer than the service may take to ask two acquirers. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: Partial<Retries> | undefined;
  /** Default: that of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What goes with any request. */
export interface RequestOptions {
  /** Names of sub-resources that the answer is to hold whole. */
  readonly expand?: readonly string[] | undefined;
  /** Names a change, so that repeating it has no second effect. Default where the service knows it: a new one. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the waiting, and further tries. What was sent may be carried out all the same. */
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A member of an endpoint, or nothing where it has none. */
type Part<Endpoint, Name extends string> = Endpoint extends { readonly [Key in Name]: infer Value }
  ? { readonly [Key in Name]: Value }
  : unknown;

/** What a request to an endpoint is made of. */
export type CallOptions<Endpoint> = RequestOptions &
  Part<Endpoint, 'params'> &
  Part<Endpoint, 'body'> &
  (Endpoint extends { readonly query: infer Query } ? { readonly query?: Query } : unknown);

/** The options may be left out where nothing is required. */
type Given<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options];

/** Something that offers operations: all resources do. */
export interface Offering {
  readonly operations: readonly { readonly method: string; readonly href: string; readonly rel: string }[];
}

/** Talks to the service. Its methods throw what `problems.ts` declares. */
export interface KontorClient<Endpoints = Operations> {
  /** Sends a request to an address of the API: where there is no resource yet whose operations could be followed. */
  call<Key extends keyof Endpoints & string>(
    endpoint: Key,
    ...options: Given<CallOptions<Endpoints[Key]>>
  ): Promise<Endpoints[Key] extends { readonly answer: infer Answer } ? Answer : undefined>;

  /** Reads a resource by its `id`, or by an address that an answer had. */
  get<Answer>(id: string, options?: RequestOptions): Promise<Answer>;

  /**
   * Does what a resource offers, as in `follow(payment, 'create-capture', { transaction: { amount: 1500 } })`.
   *
   * @throws KontorNoSuchOperation where it does not offer that now
   */
  follow<Resource extends Offering, Name extends Rel<Resource>>(
    resource: Resource,
    rel: Name,
    ...rest: BodyOf<Resource, Name> extends undefined
      ? [body?: undefined, options?: RequestOptions]
      : [body: BodyOf<Resource, Name>, options?: RequestOptions]
  ): Promise<AnswerOf<Resource, Name>>;
  /** The same for an operation that this client has no types for. */
  followAs<Answer>(resource: Offering, rel: string, body?: unknown, options?: RequestOptions): Promise<Answer>;

  /**
   * Where an operation leads that is not for programs: a page that a payer's browser opens, or a script that it loads, as
   * `redirect-authorization` does.
   *
   * @throws KontorNoSuchOperation
   */
  linkTo(resource: Offering, rel: string): string;

  /** Whether a resource offers an operation now. */
  offers<Resource extends Offering>(resource: Resource, rel: Rel<Resource> | (string & {})): boolean;
}
