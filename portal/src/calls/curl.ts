import type { AnswerOf } from '../api/endpoints.types.ts';
import type { getCall } from '../api/operations.generated.ts';

export type CallDetail = AnswerOf<typeof getCall>['call'];

/** Headers that curl or the one who pastes it sets anew. */
const LEFT_OUT = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'authorization', 'hmac']);

/** The request as a line to paste. The access token is a placeholder, and what was masked stays masked. */
export function curlOf(call: CallDetail, origin: string): string {
  const headers = call.headers.filter(({ name }) => !LEFT_OUT.has(name.toLowerCase()));
  const lines = [
    `curl -X ${call.method} ${quoted(origin + call.address)}`,
    `-H 'Authorization: Bearer <access token>'`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(call.requestBody === 'null' ? [] : [`--data-raw ${quoted(call.requestBody)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** In single quotes nothing means anything to a shell but a single quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
