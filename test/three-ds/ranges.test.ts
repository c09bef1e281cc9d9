import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ThreeDSServer } from '../../src/issuers/acquirers/acquirers.types.ts';
import { askDirectory } from '../../src/issuers/authentication/ask-directories.job.ts';
import { selectRangesNear } from '../../src/issuers/authentication/enrolled-ranges.store.ts';
import { findEnrolment } from '../../src/issuers/authentication/enrolled-ranges.ts';
import type { DirectoryFlows } from '../../src/issuers/authentication/three-ds.types.ts';
import { uuidV4 } from '../../src/kit/ids.ts';
import { Secret } from '../../src/kit/secret.ts';
import { presTo, rangeOf, type ThreeDSMembers } from '../support/issuer/hostile-directory.ts';
import { type TestService, testService } from '../support/service.ts';

// Which cards take part, by what a directory server tells.

const VISA = { scheme: 'Visa', url: 'https://ds.example.com/', tls: 'none', answerMs: 1 } as const;

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** Asks a directory server that answers so. */
async function told(answer: (preq: ThreeDSMembers) => ThreeDSMembers): Promise<void> {
  await kontor.database.asAdmin("delete from three_ds_directory where scheme = 'Visa'");
  const { keyRing, database } = kontor.service;
  const flows: DirectoryFlows = {
    transact: database.transact,
    keyRing,
    line: { ask: async (_server, message) => JSON.stringify(answer(message)) },
    server: { serverReferenceNumber: 'REF', operatorId: 'OP' } as ThreeDSServer,
    newServerTransactionId: uuidV4,
  };
  await askDirectory(flows, VISA);
}

async function methodOf(number: string): Promise<string> {
  const found = await findEnrolment(kontor.service.database.read, 'Visa', new Secret(number));
  return found.is === 'Enrolled' ? (found.methodUrl ?? 'none') : found.is;
}

test('a range in another one, or between others of other lengths, hides none of them', async () => {
  const at = (path: string) => ({ threeDSMethodURL: `https://acs.example/${path}` });
  const cardRangeData = [
    rangeOf('4761730000000000', '4761739999999999'),
    rangeOf('4761735000000000', '4761735099999999', at('part')),
    rangeOf('4761736000000000000', '4761736999999999999', at('long')),
  ];
  await told((preq) => presTo(preq, { cardRangeData }));
  expect(await methodOf('4761738000000000')).toBe('none');
  expect(await methodOf('4761735000000001')).toBe('https://acs.example/part');
  expect(await methodOf('4761735100000000')).toBe('none');
  expect(await methodOf('4761736000000000001')).toBe('https://acs.example/long');
  expect(await methodOf('4761737000000000000')).toBe('NotEnrolled');
});

test('cards that are told for another question are refused, and not stored', async () => {
  await told(presTo);
  const cardRangeData = [rangeOf('4000000000000000', '4000000000000001')];
  await expect(told((preq) => presTo({ ...preq, threeDSServerTransID: uuidV4() }, { cardRangeData }))).rejects.toThrow(
    '301 threeDSServerTransID',
  );
  await kontor.database.asAdmin("update three_ds_directory set prepared_at = kontor_now() where scheme = 'Visa'");
  expect(await methodOf('4925000000000004')).toBe('none');
});

test('a card is found among many ranges by a few pages, also where none before it has it', async () => {
  await kontor.database.asAdmin(`
    delete from three_ds_range;
    insert into three_ds_range (scheme, start_range, end_range)
    select 'Visa', (40000000 + n) || '00000000', (40000000 + n) || '99999999' from generate_series(0, 19999) n;
    analyze three_ds_range`);
  const asked = { scheme: 'Visa', digits: '40020001', length: 16, limit: 2_000 };
  let explained = '';
  await selectRangesNear(async ({ text }, values) => {
    explained = text.replace(/\$(\d)/g, (_name, place) => `'${values[place - 1]}'`);
    return { rows: [], count: 0 };
  }, asked);
  const plan = await kontor.database.asAdmin(`explain (analyze, buffers) ${explained}`);
  const [, pages] = /Buffers: shared hit=(\d+)/.exec(JSON.stringify(plan)) ?? [];
  expect(Number(pages)).toBeLessThan(100);
});
