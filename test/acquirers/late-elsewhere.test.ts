import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { answerTo, ScriptedHost, send } from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

// A host that answers on whichever line it likes: the answer to a question of one instance comes to the other one.

let kontor: Acquiring;
let host: ScriptedHost;
let baseUrl: string;
beforeAll(async () => {
  kontor = await acquiring();
  host = new ScriptedHost();
  const port = await host.listen();
  host.onAsk = (ask, socket) => {
    if (ask.type !== '1100') return send(socket, answerTo(ask, { actionCode: '400', approvalCode: undefined }));
    const other = host.sockets.find((one) => one !== socket && !one.destroyed);
    if (other !== undefined) send(other, answerTo(ask));
  };
  kontor.configure({
    acquirers: [simulated(port, { answerMs: 1_500, connections: 1, testHost: false })],
    agreements: [agreed(kontor.payeeId)],
  });
  ({ baseUrl } = await kontor.serve());
  await kontor.serve();
  await until(() => host.ofType('1804').length >= 2, 30_000);
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await host.close();
});

const { authorize } = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));

test('an answer that comes to another instance is too late, and the take-back says so', async () => {
  const { tried } = await authorize(12_500);
  const { state, problem } = tried.body.authorization.transaction;
  expect([state, problem.type.split('/').at(-1)]).toEqual(['Failed', 'acquirergatewaytimeout']);
  await until(() => host.ofType('1420').length > 0, 30_000);
  expect(host.ofType('1420').map(({ fields }) => fields.reasonCode)).toEqual(['4006']);
}, 60_000);
