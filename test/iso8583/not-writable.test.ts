import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Dialect } from '../../src/iso8583/dialects/dialect.types.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import type { Link } from '../../src/iso8583/link/link.types.ts';
import { wireOf } from '../../src/iso8583/wire.rules.ts';
import { answerTo, asking, authorization, linkTo, ScriptedHost, send } from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

// What a dialect has no room for is not sent, and costs nothing but itself.

let host: ScriptedHost;
let port: number;
let links: Link[];

beforeEach(async () => {
  host = new ScriptedHost();
  port = await host.listen();
  host.onAsk = (ask, socket) => send(socket, answerTo(ask));
  links = [];
});
afterEach(async () => {
  await Promise.all(links.map((link) => link.close()));
  await host.close();
});

function open(fields: Partial<Dialect['fields']> = {}) {
  const wire = wireOf({ ...ISO93, fields: { ...ISO93.fields, ...fields } }, '957801');
  const opened = linkTo(port, { wire });
  links.push(opened.link);
  return opened;
}

test('a question is not sent, and the next one is', async () => {
  const { link, heard } = open();
  const long = authorization(1, { terminalId: 'WEB000012' });
  expect(await asking(link, long)).toEqual({ outcome: 'NotSent', because: 'NotWritable' });
  expect(heard.faults).toEqual(['not writable: fields.terminalId has room for 8 characters, and 9 are needed']);
  expect(await asking(link, authorization(2))).toMatchObject({ outcome: 'Answered' });
  expect(host.ofType('1100').map(({ fields }) => fields.stan)).toEqual(['000002']);
});

test('a sign-on ends its own line, which is tried again, and no other one', async () => {
  const { link: good } = open();
  const { link, heard } = open({ stan: { number: 11, form: 'n', length: 4 } });
  await until(() => heard.states.filter((state) => state.startsWith('Down')).length >= 2);
  expect(heard.faults[0]).toBe('not writable: fields.stan has room for 4 characters, and 6 are needed');
  expect(link.statuses()[0]).toMatchObject({ reason: 'Unknown' });
  expect(await asking(link, authorization(1), { sendMs: 20 })).toEqual({ outcome: 'NotSent', because: 'NotWritable' });
  expect(await asking(good, authorization(2))).toMatchObject({ outcome: 'Answered' });
});

test('an answer to a request of the host ends its own line, and the next one signs on', async () => {
  const wire = wireOf({ ...ISO93, networkManagement: { ...ISO93.networkManagement, refused: '90212' } }, '957801');
  const { link, heard } = linkTo(port, { wire });
  links.push(link);
  await until(() => link.ready() === 1);
  const [socket] = host.sockets;
  if (socket !== undefined) send(socket, authorization(9));
  await until(() => host.sockets.length === 2 && link.ready() === 1);
  expect(heard.faults).toEqual(['not writable: fields.actionCode has room for 3 characters, and 5 are needed']);
});
