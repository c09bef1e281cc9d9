import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { until } from '../support/until.ts';

let kontor: ProductionService;
beforeAll(async () => {
  kontor = await productionService();
});
afterAll(() => kontor.stop());

const status = async () => (await fetch(`${kontor.baseUrl}/health/ready`)).status;

describe('an instance is not ready', () => {
  test('while payments cannot be written, and is again afterwards', async () => {
    expect(await status()).toBe(200);
    await kontor.asAdmin('revoke insert on movement from kontor_app');
    await until(async () => (await status()) === 503);
    await kontor.asAdmin('grant insert on movement to kontor_app');
    await until(async () => (await status()) === 200);
  });

  test('while the database takes no changes', async () => {
    const readOnly = (how: string) =>
      kontor.asAdmin(`do $$ begin
        execute format('alter role kontor_app in database %I ${how}', current_database());
      end $$`);
    const endSessions = () =>
      kontor.asAdmin(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'kontor_app'`,
      );
    await readOnly('set default_transaction_read_only = on');
    await endSessions();
    await until(async () => (await status()) === 503);
    await readOnly('reset default_transaction_read_only');
    await endSessions();
    await until(async () => (await status()) === 200);
  });
});
