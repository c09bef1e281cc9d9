import { addressOf } from '../../../client/address.ts';
import type { Offering } from '../../../client/client.types.ts';
import type { AnswerOf as AnswerOfRel, BodyOf as BodyOfRel, Rel } from '../../../client/rels.types.ts';
import type { AnswerOf, AsPayee, Endpoint, Input } from './endpoints.types.ts';
import { askPublic, askService } from './send.ts';

type Given = Partial<AsPayee> & { readonly query?: Readonly<Record<string, unknown>>; readonly body?: unknown };

/**
 * Calls an operation of the service, as in `call(archiveToken, { payeeId, tokenId, body })`: one of the portal's own API
 * with the session's cookie, one of the public API with credentials of the session. Where the service wants the password
 * for it, it is asked for.
 *
 * @throws Problem
 */
export function call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<AnswerOf<E>> {
  const given: Given = input;
  const { method, address } = addressOf(endpoint, { params: { ...given }, query: given.query ?? {} });
  const { payeeId = '', idempotencyKey, body } = given;
  return address.startsWith('/portal/api/')
    ? askService({ method, address, body })
    : askPublic({ payeeId, method, address, body, idempotencyKey });
}

/**
 * Calls an operation of the portal's own API whose body is a file.
 *
 * @throws Problem
 */
export function callWithFile<E extends Endpoint>(endpoint: E, input: Input<E>, file: Blob): Promise<AnswerOf<E>> {
  const given: Given = input;
  const { method, address } = addressOf(endpoint, { params: { ...given }, query: given.query ?? {} });
  return askService({ method, address, file });
}

/** Where an operation is that a browser opens by itself, such as a download. */
export function linkTo<E extends Endpoint>(endpoint: E, input: Input<E>): string {
  const given: Given = input;
  return addressOf(endpoint, { params: { ...given }, query: given.query ?? {} }).address;
}

/** Whether an answer of the public API offers an operation now. One that is not there yet offers nothing. */
export const offers = <Resource extends Offering>(resource: Resource | undefined, rel: Rel<Resource>): boolean =>
  resource?.operations.some((operation) => operation.rel === rel) ?? false;

/**
 * Does what an answer of the public API offers.
 *
 * @throws Problem; TypeError where it does not offer that
 */
export function follow<Resource extends Offering, Name extends Rel<Resource>>(
  resource: Resource,
  rel: Name,
  { payeeId, body }: AsPayee & { readonly body?: BodyOfRel<Resource, Name> },
): Promise<AnswerOfRel<Resource, Name>> {
  const operation = resource.operations.find((one) => one.rel === rel);
  if (operation === undefined) throw new TypeError(`${rel} is not offered.`);
  return askPublic({ payeeId, method: operation.method, address: operation.href, body });
}
