import { describe, expect, test } from 'vitest';
import { projectFiles } from './files.ts';
import { brokenImports } from './import-rule.ts';

describe('the sources', () => {
  test('keep the import rule', () => {
    expect(brokenImports(projectFiles())).toEqual([]);
  });
});

/** A made-up source for each thing that the rule forbids, and a word of the message that must name it. */
const FORBIDDEN: readonly (readonly [path: string, text: string, reason: string])[] = [
  ['src/tokens/tokens.types.ts', "import type { Pool } from 'pg';", 'only importer of pg'],
  ['src/tokens/tokens.types.ts', "import { passesLuhn } from '../kit/card-number.ts';", 'import type'],
  ['src/tokens/tokens.types.ts', "import { STATES } from './tokens.rules.ts';", 'nouns'],
  ['src/tokens/tokens.types.ts', "import type { Range } from '../vault/vault.rules.ts';", 'nouns'],
  ['src/tokens/tokens.types.ts', "import type { Server } from 'fastify';", 'nouns'],
  ['src/tokens/tokens.rules.ts', "import { randomUUID } from 'node:crypto';", 'from its arguments alone'],
  ['src/tokens/tokens.rules.ts', "import { Type } from 'typebox';", 'from its arguments alone'],
  ['src/tokens/tokens.rules.ts', "import { insert } from './tokens.store.ts';", 'from its arguments alone'],
  ['src/tokens/tokens.rules.ts', "import { archive } from './archive-token.ts';", 'from its arguments alone'],
  [
    'src/tokens/tokens.rules.ts',
    "import type { Transaction } from '../db/transaction.types.ts';",
    'from its arguments alone',
  ],
  ['src/tokens/tokens.wire.ts', "import type { Token } from './tokens.types.ts';", 'promise to clients'],
  ['src/tokens/tokens.store.ts', "import { TokenBody } from './tokens.wire.ts';", 'a store holds statements'],
  [
    'src/tokens/tokens.rules.ts',
    "import type { Card } from '../vault/card-ranges.wire.ts';",
    'from its arguments alone',
  ],
  ['src/tokens/tokens.store.ts', "import { decide } from './tokens.rules.ts';", 'a store holds statements'],
  ['src/tokens/tokens.store.ts', "import { find } from '../vault/vault.store.ts';", 'a store holds statements'],
  ['src/tokens/tokens.store.ts', "import { find } from './archives.store.ts';", 'a store holds statements'],
  ['src/tokens/tokens.store.ts', "import fastify from 'fastify';", 'a store holds statements'],
  ['src/tokens/tokens.tables.ts', "import { select } from './tokens.store.ts';", 'a table is told once'],
  ['src/tokens/tokens.rules.ts', "import { TOKEN } from './tokens.tables.ts';", 'from its arguments alone'],
  ['src/tokens/archive-token.ts', "import fastify from 'fastify';", 'a verb'],
  ['src/tokens/archive-token.ts', "import { Client } from 'pg';", 'only importer of pg'],
  ['src/tokens/archive-token.ts', "import { find } from '../vault/vault.store.ts';", 'instead of its store'],
  ['src/tokens/archive-token.ts', "import { openPool } from '../db/pool.ts';", 'a verb'],
  [
    'src/tokens/archive-token.ts',
    "import type { Transact } from '../db/transaction.types.ts';",
    'never opens a transaction',
  ],
  ['src/tokens/archive-token.ts', "import { readFile } from 'node:fs/promises';", 'as arguments'],
  ['src/tokens/archive-token.ts', "import { refuse } from '../http/problem.ts';", 'a verb'],
  ['src/tokens/archive-token.ts', "import { pay } from './pay.flow.ts';", 'a verb'],
  ['src/tokens/pay.flow.ts', "import { find } from './tokens.store.ts';", 'a flow orders'],
  ['src/tokens/pay.flow.ts', "import { refuse } from '../http/problem.ts';", 'a flow orders'],
  ['src/tokens/pay.flow.ts', "import { tokenRoutes } from './tokens.http.ts';", 'a flow orders'],
  ['src/tokens/tokens.http.ts', "import { pay } from '../vault/pay.flow.ts';", 'a route unwraps'],
  ['src/tokens/tokens.http.ts', "import { selectToken, saveToken } from './tokens.store.ts';", 'a route unwraps'],
  ['src/tokens/tokens.http.ts', "import { selectCard } from '../vault/vault.store.ts';", 'a route unwraps'],
  ['src/tokens/tokens.http.ts', "import { decide } from '../vault/vault.rules.ts';", 'a route unwraps'],
  ['src/tokens/tokens.http.ts', "import type { Transact } from '../db/transaction.types.ts';", 'a route unwraps'],
  ['src/tokens/tokens.http.ts', "import { store } from '../vault/store-instruments.ts';", 'a route unwraps'],
  ['src/tokens/tokens.cli.ts', "import { saveToken } from './tokens.store.ts';", 'by the same verbs'],
  ['src/tokens/tokens.cli.ts', "import fastify from 'fastify';", 'by the same verbs'],
  ['src/tokens/tokens.job.ts', "import { Command } from 'commander';", 'by the same verbs'],
  ['src/tokens/tokens.job.ts', "import { lockToken } from './tokens.store.ts';", 'by the same verbs'],
  ['src/keys/export/key-file.adapter.ts', "import { find } from './keys.store.ts';", 'one thing outside'],
  ['src/keys/export/key-file.adapter.ts', "import { rotate } from './rotate-keys.ts';", 'one thing outside'],
  ['src/keys/kms.adapter.ts', "import a from 'kms';\nimport b from 'undici';", 'kms and undici'],
  ['src/http/edge/bearer.ts', "import { findToken } from '../../merchants/find-token.ts';", 'a lower folder never'],
  ['src/http/edge/bearer.ts', "import { openPool } from '../../db/pool.ts';", 'come in as arguments'],
  ['src/http/edge/bearer.ts', "import got from 'got';", 'the edge is the same'],
  ['src/db/server/pool.ts', "import { refuse } from '../../http/problem.ts';", 'a lower folder never'],
  ['src/db/server/pool.ts', "import { Type } from 'typebox';", 'nothing of what they mean'],
  ['src/kit/money.ts', "import { createHash } from 'node:crypto';", 'all folders import kit/'],
  ['src/kit/secret.ts', "import { readFileSync } from 'node:fs';", 'all folders import kit/'],
  ['src/kit/secret.ts', "import type { Config } from '../config.ts';", 'settings come in'],
  ['src/config.ts', "import fastify from 'fastify';", 'before anything else'],
  ['src/http/listening/tls.ts', "import { readConfig } from '../../config.ts';", 'settings come in'],
  ['src/keys/rotate-key.ts', "import type { Kontor } from '../kontor.types.ts';", 'a lower folder never'],
  ['src/vault/store-card.ts', "import type { Token } from '../tokens/tokens.types.ts';", 'a lower folder never'],
  ['src/portal/show.ts', "import { deliver } from '../events/deliver.ts';", 'no slice imports events/'],
  ['src/tokens/archive-token.ts', "import { buildServer } from '../server.ts';", 'a lower folder never'],
  ['src/tokens/compose.ts', "import { composeVault } from '../vault/compose.ts';", 'wiring/ alone composes'],
  ['src/tokens/tokens.cli.ts', "import { composeTokens } from './compose.ts';", 'wiring/ alone composes'],
  ['src/tokens/compose.ts', "import { findCard } from '../vault/vault.store.ts';", 'puts itself together'],
  ['src/tokens/serving.ts', "import { findCard } from '../vault/vault.store.ts';", 'lists what it serves'],
  ['src/tokens/serving.ts', "import { composeVault } from '../vault/compose.ts';", 'wiring/ alone composes'],
  ['src/tokens/compose.ts', "import { routes } from './serving.ts';", 'where it serves'],
  ['src/tokens/compose.ts', "const routes = await import('./tokens.http.ts');", 'loaded as a whole'],
  ['src/tokens/compose.ts', "import { vaultRoutes } from '../vault/vault.http.ts';", 'puts itself together'],
  ['src/wiring/server.ts', "import { Pool } from 'pg';", 'only importer of pg'],
  ['src/wiring/server.ts', "import env from 'node:process';", 'read in config.ts'],
  ['src/wiring/server.ts', "import { rate } from '../../bench/rate.ts';", 'own sources'],
  ['src/tokens/index.ts', "export { archive } from './archive-token.ts';", 'no barrels'],
  ['src/tokens/archive-token.ts', 'const verb = await import(name);', 'cannot be checked'],
  ['src/tokens/archive-token.ts', "const vault = await import('../vault/vault.store.ts');", 'loaded as a whole'],
  ['src/helpers/text.ts', 'export const text = 1;', 'no place in the order'],
  ['src/wiring/serve.ts', "import { SANDBOX } from '../../sandbox/sandbox.ts';", 'nothing of sandbox/ unasked'],
  ['src/issuers/compose.ts', "await import('../../sandbox/sandbox.ts');", 'nothing of sandbox/ unasked'],
  ['sandbox/acquirer/host-frames.ts', "import { frame } from '../../src/iso8583/frames.ts';", 'share their mistakes'],
  ['portal/src/list.tsx', "import type { Token } from '../../src/tokens/tokens.types.ts';", 'talks HTTP'],
  ['client/index.ts', "import { plainDigits } from '../src/kit/cards/typed-card.ts';", 'talks HTTP'],
  ['checkout/page.ts', "import { passesLuhn } from '../src/kit/cards/card-number.ts';", 'talks HTTP'],
  ['examples/shop.mjs', "import { uuidV4 } from '../src/kit/ids.ts';", 'talks HTTP'],
];

/** Imports that must not be flagged: the good half of the table. */
const ALLOWED: readonly (readonly [path: string, text: string])[] = [
  ['src/tokens/tokens.types.ts', "import type { Instrument } from '../vault/vault.types.ts';"],
  ['src/tokens/tokens.types.ts', "import type { Transaction } from '../db/transaction.types.ts';"],
  ['src/tokens/tokens.types.ts', "import { BRANDS } from '../vault/vault.types.ts';"],
  ['src/tokens/tokens.types.ts', "import type { State } from './tokens.rules.ts';"],
  ['src/tokens/tokens.rules.ts', "import { mask } from '../vault/mask.rules.ts';"],
  ['src/tokens/tokens.wire.ts', "import { Type } from 'typebox';"],
  ['src/tokens/tokens.rules.ts', "import type { TokenBody } from './tokens.wire.ts';"],
  ['src/tokens/tokens.store.ts', "import type { TokenBody } from './tokens.wire.ts';"],
  ['src/tokens/tokens.store.ts', "import { array } from '../db/array.ts';"],
  ['src/tokens/tokens.store.ts', "import { INSTRUMENT } from '../vault/vault.tables.ts';"],
  [
    'src/tokens/tokens.tables.ts',
    "import { tableOf } from '../db/tables.ts';\nimport type { Token } from './tokens.types.ts';",
  ],
  ['src/tokens/archive-token.ts', "import { writeAudit } from '../journal/write-audit.ts';"],
  ['src/tokens/archive-token.ts', "import { saveToken } from './tokens.store.ts';"],
  ['src/tokens/pay.flow.ts', "import type { Transact } from '../db/transaction.types.ts';"],
  [
    'src/tokens/pay.flow.ts',
    "import { ask } from '../vault/ask.flow.ts';\nimport { archive } from './archive-token.ts';",
  ],
  ['src/tokens/tokens.http.ts', "import { pay } from './pay.flow.ts';"],
  ['src/tokens/tokens.job.ts', "import { pay } from './pay.flow.ts';"],
  ['src/tokens/tokens.http.ts', "import { apiRoute } from '../http/route.ts';"],
  ['src/tokens/tokens.http.ts', "import { remaining } from './tokens.rules.ts';"],
  ['src/tokens/tokens.http.ts', "import { selectTokens, type TokenRow } from './tokens.store.ts';"],
  ['src/tokens/tokens.http.ts', "import type { Kontor } from '../kontor.types.ts';"],
  ['src/tokens/tokens.http.ts', "import type { Read } from '../db/transaction.types.ts';"],
  ['src/tokens/tokens.job.ts', "import { decide } from './tokens.rules.ts';"],
  ['src/tokens/tokens.job.ts', "import { countTokens } from './tokens.store.ts';"],
  ['src/tokens/tokens.cli.ts', "import { Command } from 'commander';\nimport type { Config } from '../config.ts';"],
  ['src/keys/export/key-file.adapter.ts', "import { readFile } from 'node:fs/promises';"],
  ['src/keys/seal.ts', "import { createCipheriv } from 'node:crypto';"],
  ['src/db/server/pool.ts', "import { Pool } from 'pg';"],
  ['sandbox/postgres/embedded.ts', 'await import(name);'],
  ['sandbox/seeds/ensure-users.ts', "import { compose } from '../../src/tokens/compose.ts';"],
  ['src/wiring/serve.ts', "await import('../../sandbox/sandbox.ts');"],
  ['src/http/body/validate.ts', "import { Ajv2020 } from 'ajv/dist/2020.js';"],
  [
    'src/wiring/server.ts',
    "import { insert } from '../tokens/tokens.store.ts';\nimport { readConfig } from './config.ts';",
  ],
  ['src/tokens/compose.ts', "import { READ_TOKENS } from './tokens.store.ts';"],
  [
    'src/tokens/compose.ts',
    "import { storeCard } from '../vault/store-card.ts';\nimport type { Database } from '../db/database.types.ts';",
  ],
  ['src/wiring/slices.ts', "import { composeTokens } from '../tokens/compose.ts';"],
  ['src/wiring/routes.ts', "import * as tokens from '../tokens/serving.ts';"],
  [
    'src/tokens/serving.ts',
    "import type { composeTokens } from './compose.ts';\nimport { tokenRoutes } from './tokens.http.ts';",
  ],
  ['src/tokens/archive-token.test.ts', "import { Pool } from 'pg';"],
  ['bench/run.mjs', "import { uuidV4 } from '../src/kit/ids.ts';"],
  ['portal/src/list.tsx', "import { client } from '../../client/index.ts';"],
  ['portal/src/find.tsx', "import { plainDigits } from '../../src/kit/cards/typed-card.ts';"],
  ['checkout/checks.ts', "import { brandOf } from '../src/kit/cards/brands.ts';"],
];

describe('the rule', () => {
  test.each(FORBIDDEN)('flags %s: %s', (path, text, reason) => {
    const messages = brokenImports([{ path, text }]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(path);
    expect(messages[0]).toContain(reason);
  });

  test.each(ALLOWED)('lets %s be: %s', (path, text) => {
    expect(brokenImports([{ path, text }])).toEqual([]);
  });
});
