import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { rotateKeys } from '../src/keys/keys.cli.ts';
import type { KeyId, KeysService } from '../src/keys/keys.types.ts';
import { printRing } from '../src/keys/ring/ring-text.rules.ts';
import { sharedUses } from '../src/keys/shared-uses.ts';
import { SERVICE } from '../src/kit/caller.ts';
import { OPERATOR, type PayeeId, uuidV7 } from '../src/kit/ids.ts';
import type { Secret } from '../src/kit/secret.ts';
import { createUser } from '../src/portal-users/create-user.ts';
import { PORTAL_USER_KEY_USES } from '../src/portal-users/key-uses.ts';
import type { PortalUsersContext } from '../src/portal-users/portal-users.types.ts';
import { findUserByEmail } from '../src/portal-users/show-user.ts';
import { tombstoneText } from '../src/tokens/import/import.rules.ts';
import { TOKEN_LINE_USE } from '../src/tokens/key-uses.ts';
import { type TestDatabase, testDatabase } from './support/database/database.ts';
import { type Instance, instance, keyFolder } from './support/keys.ts';

// An installation from before: one key, identity-1, has made all digests.

const folder = await keyFolder();
let database: TestDatabase;
let kontor: Instance;
beforeEach(async () => {
  database = await testDatabase();
  kontor = instance(database, folder.path(`${uuidV7(0)}.json`));
  await kontor.keyProvider.create(printRing([kontor.keyRing.make('identity-1' as KeyId, 'identity')]));
  await kontor.start();
});
afterEach(() => database.drop());
afterAll(() => folder.remove());

const service = (): KeysService => {
  const uses = [TOKEN_LINE_USE, ...PORTAL_USER_KEY_USES];
  const audit = async () => undefined;
  return { ...kontor, transact: database.transact, keyUses: [...uses, ...sharedUses(uses)], audit };
};
const rotate = () => rotateKeys({ pause: async () => undefined, progress: () => undefined }, service(), 'identity');
const tombstone = { payerReference: 'anna', tokenType: 'Payment', instrument: 'CreditCard', lastFour: '0004' } as const;

test('goes on with that key until it is rotated, and then each purpose has its own', async () => {
  const payeeId = uuidV7(1) as PayeeId;
  const users = { ...kontor, cardPrefixes: () => ({ has: () => false }) } as unknown as PortalUsersContext;
  expect(kontor.keyRing.current('portal-users')).toBe('identity-1');
  await database.asAdmin(`
    insert into payee (payee_id, name) values ('${payeeId}', 'Shop');
    insert into payer (payee_id, payer_reference) values ('${payeeId}', 'anna');
    insert into payer_token (payee_id, token, token_type, payer_reference, instrument, correlation_id, display_name, last_four,
      state, deleted_at, created_at, identity_digest, content_digest)
    values ('${payeeId}', '${uuidV7(2)}', 'Payment', 'anna', 'CreditCard', '${uuidV7(3)}', 'Visa', '0004',
      'Deleted', kontor_now(), kontor_now(), sha256('number'), sha256('whole'))`);
  const email = 'anna@shop.example';
  await database.transact((transaction) =>
    createUser(transaction, users, { payeeId: OPERATOR, email, name: 'Anna', role: 'operator', actor: SERVICE }),
  );

  expect(await rotate()).toMatchObject({ from: 'identity-1', to: 'identity-2', moved: 2, isEnding: true });
  const { keyRing } = kontor;
  const user = await database.transact((transaction) => findUserByEmail(transaction, users, email));
  expect(user?.name).toBe('Anna');
  const [token] = await database.asAdmin(
    'select identity_key_id as key, identity_digest as digest, content_digest as content from payer_token',
  );
  const text: Secret = tombstoneText({ ...tombstone, token: undefined, expiryDate: null });
  const digest = keyRing.digest('token-lines-1' as KeyId, payeeId, text);
  expect(token).toEqual({ key: 'token-lines-1', digest, content: null });
  expect(await database.asAdmin('select email_key_id as key from portal_login')).toEqual([{ key: 'portal-users-1' }]);
});
