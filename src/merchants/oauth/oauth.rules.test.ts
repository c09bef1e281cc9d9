import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import { randomSecret } from '../../kit/secret.ts';
import {
  checkScopeAliases,
  chooseScopes,
  composeClientId,
  readClientCredentials,
  readClientId,
  readForm,
} from './oauth.rules.ts';
import type { Form } from './oauth.types.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const formOf = (body: string) => readForm(body) as Form;

describe('a form', () => {
  it('is read with its encoding', () => {
    expect(formOf('grant_type=client_credentials&scope=tokens%3Aread+payments')).toEqual(
      new Map([
        ['grant_type', 'client_credentials'],
        ['scope', 'tokens:read payments'],
      ]),
    );
  });

  it('treats a parameter without a value as absent', () => expect(formOf('scope=&a=b').has('scope')).toBe(false));

  it.each([
    ['a repeated parameter', 'scope=a&scope=a'],
    ['a repeated empty parameter', 'scope=&scope='],
    ['a value that is too long', `scope=${'x'.repeat(1025)}`],
    ['too many parameters', Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&')],
  ])('is refused: %s', (_, body) => expect(readForm(body)).toMatchObject({ error: 'invalid_request' }));

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (body) => readForm(body) !== undefined));
  });
});

describe('client credentials', () => {
  const given = { clientId: 'kc_1', clientSecret: 'ks_1' };

  it.each([
    ['HTTP Basic', basic('kc_1:ks_1'), ''],
    ['HTTP Basic in another case', basic('kc_1:ks_1').replace('Basic', 'bASIC'), ''],
    ['HTTP Basic, form-urlencoded', basic('kc%5F1:ks%5f1'), ''],
    ['HTTP Basic beside the same client_id', basic('kc_1:ks_1'), 'client_id=kc_1'],
    ['the form', undefined, 'client_id=kc_1&client_secret=ks_1'],
  ])('come by %s', (_, authorization, body) => {
    expect(readClientCredentials(authorization, formOf(body))).toEqual(given);
  });

  it.each([
    ['none', undefined, '', 'invalid_client'],
    ['an id alone', undefined, 'client_id=kc_1', 'invalid_client'],
    ['another scheme', 'Bearer abc', '', 'invalid_client'],
    ['another scheme beside the form', 'Bearer abc', 'client_id=kc_1&client_secret=ks_1', 'invalid_client'],
    ['no colon', basic('kc_1'), '', 'invalid_client'],
    ['no base64', 'Basic ***', '', 'invalid_client'],
    ['a broken encoding', basic('kc%_1:ks_1'), '', 'invalid_client'],
    ['header and form at once', basic('kc_1:ks_1'), 'client_id=kc_1&client_secret=ks_1', 'invalid_request'],
    ['header and another secret', basic('kc_1:ks_1'), 'client_secret=ks_2', 'invalid_request'],
    ['header and another id', basic('kc_1:ks_1'), 'client_id=kc_2', 'invalid_request'],
  ])('are refused: %s', (_, authorization, body, error) => {
    expect(readClientCredentials(authorization, formOf(body))).toMatchObject({ error });
  });

  it('may hold every character', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(text, text, (clientId, clientSecret) => {
        const header = basic(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
        expect(readClientCredentials(header, new Map())).toEqual({ clientId, clientSecret });
      }),
    );
  });
});

describe('a client id', () => {
  it('carries its payee, in characters that need no encoding', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const clientId = composeClientId(uuid as PayeeId, randomSecret());
        expect(clientId).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(readClientId(clientId)).toEqual({ payeeId: uuid, clientId });
      }),
    );
  });

  it.each(['', 'nobody', `${composeClientId(OPERATOR, randomSecret())}x`, 'kc_\0'])('is none: %j', (text) =>
    expect(readClientId(text)).toBeUndefined(),
  );
});

describe('the scopes of a token', () => {
  const granted = ['tokens:read', 'payments'] as const;
  const without = { scopes: granted, scopeAliases: [] };
  const client = { scopes: granted, scopeAliases: ['publicapi', 'checkout.all'] };

  it.each([
    ['all where none is named', undefined, granted],
    ['one', 'payments', ['payments']],
    ['all, in whatever order', 'payments tokens:read', granted],
    ['repeated ones once', 'payments payments', ['payments']],
  ])('are %s', (_, requested, scopes) => expect(chooseScopes(requested, without)).toEqual(scopes));

  it.each(['publicapi', 'tokens:write', 'payments publicapi', 'payments  tokens:read', ' payments', 'PAYMENTS'])(
    'are refused: %j',
    (requested) => expect(chooseScopes(requested, without)).toMatchObject({ error: 'invalid_scope' }),
  );

  it.each(['publicapi', 'checkout.all', 'publicapi payments', 'payments publicapi'])(
    'are all where an alias is named: %s',
    (requested) => expect(chooseScopes(requested, client)).toEqual(granted),
  );

  it.each(['PublicApi', 'publicapi tokens:write', 'publicapi  payments', 'public'])(
    'are refused beside the aliases of the client: %j',
    (requested) => expect(chooseScopes(requested, client)).toMatchObject({ error: 'invalid_scope' }),
  );

  it('have aliases that are words, and no scopes of the service', () => {
    expect(checkScopeAliases(['publicapi', 'publicapi', 'a:b'])).toEqual(['publicapi', 'a:b']);
    for (const word of ['', 'a b', 'a"b', 'a\\b', 'payments', 'x'.repeat(65), 'é']) {
      expect(() => checkScopeAliases([word]), word).toThrow(Refusal);
    }
    expect(() => checkScopeAliases(Array.from({ length: 11 }, (_, index) => `a${index}`))).toThrow(Refusal);
  });
});
