import type { TSchema } from 'typebox';
import { documented } from './schemas.ts';

/** A type of event that is posted to webhooks. */
export interface SentEvent {
  readonly type: string;
  /** One sentence. */
  readonly when: string;
  readonly schema: TSchema;
}

const text = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The headers of a delivery, as Standard Webhooks 1.0.0 names them. */
const HEADERS = [
  text('webhook-id', "The event's id: the same in each try"),
  text('webhook-timestamp', 'When it was sent, in seconds since 1970'),
  text('webhook-signature', 'HMAC-SHA-256 over id, timestamp and body, one for each secret, with blanks between them'),
];

/** The section `webhooks` of the document: what is posted for each type of event, and what the answers mean. */
export function documentedWebhooks(sent: readonly SentEvent[], components: Map<string, unknown>) {
  return Object.fromEntries(
    sent.map(({ type, when, schema }) => {
      const properties = { type: { type: 'string', const: type } };
      const body = { allOf: [documented(schema, components), { type: 'object', properties }] };
      const operation = {
        operationId: `on-${type.replace('.', '-')}`,
        tags: ['Webhooks'],
        summary: when.replace(/\.$/, ''),
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: {
          '2XX': { description: 'It is delivered' },
          410: { description: 'The webhook is disabled' },
          default: { description: 'It is tried again' },
        },
      };
      return [type, { post: operation }];
    }),
  );
}
