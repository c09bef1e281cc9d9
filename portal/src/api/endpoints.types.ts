import type { Operations as PublicOperations } from '../../../client/kontor.generated.ts';
import type { Operations as PortalOperations } from '../../../client/portal.generated.ts';
import type * as operations from './operations.generated.ts';

type Endpoints = PortalOperations & PublicOperations;

/** What a constant of `operations.generated.ts` holds: an operation of the portal's own API, or of the public one. */
export type Endpoint = keyof Endpoints;

/** The name of an operation, as a session lists those that its person may call. */
export type OperationId = keyof typeof operations;

export type AnswerOf<E extends Endpoint> = Endpoints[E] extends { answer: infer Answer } ? Answer : never;
export type BodyOf<E extends Endpoint> = Endpoints[E] extends { body: infer Body } ? Body : never;
export type QueryOf<E extends Endpoint> = Endpoints[E] extends { query: infer Query }
  ? { readonly [Name in keyof Query]: Query[Name] | undefined }
  : never;

type Parameters<E extends Endpoint> = Endpoints[E] extends { params: infer Params } ? Readonly<Params> : unknown;
type Optional<Name extends string, Value> = [Value] extends [never]
  ? { readonly [Key in Name]?: never }
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** What an operation is called with: the parameters of its path by their names, and beside them query and body. */
export type Input<E extends Endpoint> = Parameters<E> &
  Optional<'query', QueryOf<E>> &
  Optional<'body', BodyOf<E>> &
  (E extends keyof PublicOperations ? AsPayee : unknown);

/** What a call of the public API needs beside: a page has credentials for one payee at a time. */
export interface AsPayee {
  readonly payeeId: string;
  /** Makes repeating safe where the body has no reference of its own. */
  readonly idempotencyKey?: string;
}

/** The operations that answer a list page by page. */
export type ListEndpoint = {
  [E in Endpoint]: Endpoints[E] extends { query: { cursor?: string }; answer: { next: string | null } } ? E : never;
}[Endpoint];

/** A row of the list that an operation answers: the one member that is a list has them. */
export type RowOf<E extends ListEndpoint> = {
  [Name in keyof AnswerOf<E>]: AnswerOf<E>[Name] extends readonly (infer Row)[] ? Row : never;
}[keyof AnswerOf<E>];
