import type { Scope } from '../../kit/caller.ts';
import { IDEMPOTENCY_KEY_CHARACTERS } from '../../kit/limits.ts';

/** What each scope allows. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'tokens:read': 'Read payer tokens',
  'tokens:write': 'Rename, archive and delete payer tokens',
  'tokens:act-as-operator': 'Archive in the name of the operator',
  'tokens:act-as-issuer': 'Archive in the name of the token issuer',
  'payers:read': 'Read all that is stored of a payer',
  'payers:erase': 'Erase who a payer is',
  payments: 'Card payments',
  'payments:direct': 'Card payments with card data sent by the merchant',
  accounts: 'Account payments',
  'gift-cards': 'Gift cards',
  events: 'Read the feed of events',
  webhooks: 'Make and change webhooks, and see their deliveries',
  deliveries: 'See webhooks and their deliveries, deliver again, and try them out',
};

/** Problem details as every refusal of the API has them. What the log of calls shows of them is `logged`. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem details, RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'],
  properties: {
    type: { logged: true, type: 'string', format: 'uri', description: 'Leads to a page about the problem' },
    title: { logged: true, type: 'string' },
    status: { logged: true, type: 'integer' },
    detail: { logged: true, type: 'string' },
    instance: { type: 'string', format: 'uri' },
    sessionId: { logged: true, type: 'string', format: 'uuid' },
    diagnosis: {
      type: 'object',
      description: 'In the sandbox alone, for a signature that is missing or wrong: what is likely wrong with it',
      required: ['signedText', 'line', 'causes', 'explanation'],
      properties: {
        signedText: {
          type: 'string',
          description: 'The text that the service signed, with the body shown by its length and SHA-256',
        },
        line: {
          type: ['integer', 'null'],
          description: 'The first line of it that was likely signed otherwise, from 1',
        },
        causes: { type: 'array', items: { type: 'string' }, description: 'Names of the likely causes' },
        explanation: { type: 'string', description: 'The causes in words, and what to do instead' },
      },
    },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: {
          name: {
            logged: true,
            type: 'string',
            description: 'Where: the JSON path of a member, a header, a query parameter',
          },
          description: { logged: true, type: 'string', description: 'What it must be; never the value that was sent' },
        },
      },
    },
  },
};

/** How a request is signed, for routes below `/api/payments`. */
export const HMAC_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'Hmac',
  description:
    'HmacSHA512 <user>:<nonce>:<digest>. The digest is HMAC-SHA-512 in Base64 over six lines, each ended by a line ' +
    'feed: method, path, user, nonce, the text of Transmission-Time or nothing, the body',
};

/** A signed request may carry it. */
export const TRANSMISSION_TIME = {
  name: 'Transmission-Time',
  in: 'header',
  required: false,
  description: 'When the request was made, ISO 8601 with a zone; at most 300 seconds from our clock. It is signed',
  schema: { type: 'string', format: 'date-time' },
};

/** A request that creates something may carry it. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes repeating safe: with the same key and content the first answer comes again, with Idempotency-Replayed: true',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_CHARACTERS },
};

/** Every request may carry it. */
export const SESSION_ID = {
  name: 'Session-Id',
  in: 'header',
  required: false,
  description: 'Traces the request; a new one is made where it is absent or no UUID',
  schema: { type: 'string', format: 'uuid' },
};

/** Every request may carry it. */
export const TRACEPARENT = {
  name: 'traceparent',
  in: 'header',
  required: false,
  description: 'The trace that the request is part of (W3C Trace Context); one that is malformed is ignored',
  schema: { type: 'string' },
};

/** Every request may carry it. */
export const FORWARDED = {
  name: 'Forwarded',
  in: 'header',
  required: false,
  description: "The payer's address as `for=…` (RFC 7239)",
  schema: { type: 'string' },
};
