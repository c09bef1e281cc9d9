import { afterAll, beforeAll } from 'vitest';
import { insertAnyEvents } from '../../src/journal/journal.store.ts';
import type { KeyId } from '../../src/keys/keys.types.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import * as imports from '../../src/tokens/import/import.store.ts';
import * as updates from '../../src/tokens/import/update.store.ts';
import * as made from '../../src/tokens/stored/made-tokens.store.ts';
import * as tokens from '../../src/tokens/tokens.store.ts';
import type { TokenGuid } from '../../src/tokens/tokens.types.ts';
import * as instruments from '../../src/vault/instruments.store.ts';
import type { InstrumentId } from '../../src/vault/vault.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { statementOf, statementsOf, testPlans } from '../support/database/explain.ts';
import { addPayee } from '../support/database/ledger.ts';

const formerCard = { payerReference: '', tokenType: 'Payment', instrument: 'CreditCard', card: '' } as const;
const ID = '01890000-0000-7000-8000-000000000001';
const payeeId = ID as PayeeId;
const token = ID as TokenGuid;
const key = { payeeId, token };
const named = { payeeId, instrumentId: ID as InstrumentId };

const TOMBSTONES = { tokens: [token], digests: [Buffer.alloc(32)], keyId: 'token-lines-1' as KeyId };

const KEYED = [
  tokens.READ_TOKENS,
  statementOf((transaction) => tokens.lockToken(transaction, key)),
  statementOf((transaction) => tokens.saveDisplayName(transaction, key, '')),
  statementOf((transaction) => tokens.saveArchived(transaction, payeeId, [token], { updatedBy: 'PAYEE', reason: '' })),
  statementOf((transaction) => tokens.saveDeleted(transaction, payeeId, TOMBSTONES, undefined)),
  statementOf((transaction) => tokens.lockPayerTokens(transaction, payeeId, '')),
  statementOf((transaction) => tokens.findUnused(transaction, payeeId, [])),
  statementOf(({ run }) =>
    tokens.readPage(run, {
      payeeId,
      payerReference: '',
      archivedOnly: false,
      filter: {},
      after: undefined,
      limit: 1,
    }),
  ),
  statementOf(({ run }) =>
    tokens.selectPayerCards(run, { payeeId, payerReference: '', oldestMonth: '2026-11', limit: 1 }),
  ),
  insertAnyEvents([]).statement,
  made.touchPayers([], '').statement,
  ...statementsOf((transaction) =>
    imports.readKnown(transaction, payeeId, { tokens: [], identities: [], formers: [formerCard] }),
  ),
  statementOf((transaction) => instruments.lockByFingerprint(transaction, payeeId, [])),
  statementOf((transaction) => instruments.selectByFingerprint(transaction, payeeId, [])),
  statementOf((transaction) => updates.selectByInstrument(transaction, payeeId, '' as InstrumentId)),
  statementOf((transaction) => instruments.selectCard(transaction, named)),
  statementOf((transaction) => instruments.selectFingerprints(transaction, payeeId, [])),
  statementOf((transaction) => instruments.lockInstruments(transaction, payeeId, [])),
  statementOf((transaction) => instruments.deleteInstruments(transaction, payeeId, [])),
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Three tokens to a payer, as those of a payee with many. */
async function fill(): Promise<void> {
  const payee = await addPayee(database);
  await database.asAdmin(`
    insert into payer (payee_id, payer_reference) select '${payee}', 'payer-' || n from generate_series(0, 10000) n;
    insert into instrument (payee_id, instrument_id, kind, fingerprint, fingerprint_key_id, sealed, card_data_key_id, masked)
    select '${payee}', gen_random_uuid(), 'BankAccount', sha256(n::text::bytea), 'fingerprint-1', 'x', 'card-data-1', '*'
    from generate_series(1, 30000) n;
    insert into payer_token (payee_id, token, token_type, payer_reference, instrument, instrument_id, correlation_id,
      display_name, created_at, identity_digest)
    select payee_id, instrument_id, 'Payment', 'payer-' || (row_number() over () / 3), 'BankAccount', instrument_id,
      instrument_id, '*', kontor_now(), fingerprint
    from instrument;
    analyze`);
}

testPlans({ database: () => database, fill, keyed: KEYED });
