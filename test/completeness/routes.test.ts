import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { withoutEffectTogether } from '../support/prober/routes-digest.ts';
import { scannerFor } from '../support/prober/scanner.ts';
import { columnsOf } from '../support/prober/stored.ts';
import { type TestService, testService } from '../support/service.ts';
import { testRefusedCallers, testServedCallers } from './callers.ts';
import { testRefusedBodies, testRefusedHeaders, testServedForms } from './forms.ts';
import { testRefusedMembers, testRefusedNuls, testRefusedParameters, testServedMembers } from './members.ts';
import { type OneRoute, type Prepared, prepare, type Site, siteOf } from './one-route.ts';
import { testOrderOfFaults } from './order.ts';

// All that is held of each route of the API, at one service and about one object of each: to make these took half of the time.

const { apiRoutes } = describeRoutes();
const namesPayee = ({ path }: (typeof apiRoutes)[number]) => path.includes(':payeeId');

let kontor: TestService;
let site: Site;
beforeAll(async () => {
  kontor = await testService();
  site = await siteOf(kontor, apiRoutes);
});
afterAll(() => kontor.stop());

describe.each(apiRoutes.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare(site, route);
  });
  const one: OneRoute = {
    route,
    isFirst: route === apiRoutes.find((candidate) => namesPayee(candidate) === namesPayee(route)),
    methods: apiRoutes.filter(({ path }) => path === route.path).map(({ method }) => method),
    at: () => prepared,
  };

  describe('without effect,', () => {
    withoutEffectTogether(() => kontor);
    testRefusedCallers(one);
    testRefusedHeaders(one);
    testRefusedMembers(one);
    testRefusedNuls(one);
    testRefusedBodies(one);
    testRefusedParameters(one);
    testOrderOfFaults(one);
  });
  testServedCallers(one);
  testServedForms(one);
  testServedMembers(one);
});

test('no card number and no credential of all these requests is in an answer or in a table', async () => {
  const scanner = scannerFor(site.sought());
  const found = site.answers.flatMap(({ asked, text }) =>
    scanner.scan(Buffer.from(text, 'latin1')).map((what) => `${asked}: ${what}`),
  );
  expect(found).toEqual([]);
  expect((await columnsOf(kontor.database.asAdmin, scanner)).found).toEqual([]);
});
