import { expect, test } from 'vitest';
import { holdToDocument } from '../support/prober/documented-answers.ts';

const READ = { method: 'GET', path: '/online/payer/payees/0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b/payers/someone/tokens' };

test('an answer of the service under test with a member of another type is found', () => {
  expect(() => holdToDocument(READ, { status: 200, body: { payerTokens: 'none' } })).toThrow(
    'the document does not allow',
  );
});

test('what the documents say nothing of passes', () => {
  holdToDocument(READ, { status: 404, body: { type: 'anything' } });
  holdToDocument({ method: 'GET', path: '/nowhere' }, { status: 200, body: 7 });
  holdToDocument(READ, { status: 200 });
});
