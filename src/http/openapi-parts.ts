import type { Scope } from '../kit/caller.ts';

/** What each group of operations is about. The linter asks for a text for every tag that a route has. */
export const TAG_WORDS: Readonly<Record<string, string>> = {
  'Payer tokens': 'The stored cards and accounts of a payer: read, list, rename, archive',
  'Stored tokens': 'The same by type or by payer: what is active, and its deletion',
  'OAuth 2': 'Access tokens for machines: get, revoke, examine',
  Health: 'Whether the process lives, and whether it takes requests',
};

/** What each scope allows. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'tokens:read': 'Read payer tokens',
  'tokens:write': 'Rename, archive and delete payer tokens',
  'tokens:act-as-operator': 'Archive in the name of the operator',
  'tokens:act-as-issuer': 'Archive in the name of the token issuer',
  payments: 'Card payments',
  'payments:direct': 'Card payments with card data sent by the merchant',
  accounts: 'Account payments',
  'gift-cards': 'Gift cards',
};

/** Problem details as every refusal of the API has them. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem details, RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Leads to a page about the problem' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    sessionId: { type: 'string', format: 'uuid' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: {
          name: { type: 'string', description: 'Where: the JSON path of a member, a header, a query parameter' },
          description: { type: 'string', description: 'What it must be; never the value that was sent' },
        },
      },
    },
  },
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
export const FORWARDED = {
  name: 'Forwarded',
  in: 'header',
  required: false,
  description: "The payer's address as `for=…` (RFC 7239)",
  schema: { type: 'string' },
};
