import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BusinessDays, Link } from '../../src/iso8583/link/link.types.ts';
import type { Message } from '../../src/iso8583/messages.types.ts';
import {
  answerTo,
  asking,
  authorization,
  type Heard,
  linkTo,
  ScriptedHost,
  send,
} from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

let host: ScriptedHost;
let port: number;
let link: Link | undefined;

beforeEach(async () => {
  host = new ScriptedHost();
  port = await host.listen();
  host.onAsk = (ask, socket) => send(socket, answerTo(ask));
});
afterEach(async () => {
  await link?.close();
  await host.close();
});

async function open(days: BusinessDays): Promise<{ link: Link; heard: Heard }> {
  const opened = linkTo(port, { days });
  link = opened.link;
  await until(() => opened.link.ready() === 1);
  return opened;
}

const cutOver = (day?: string): Message => ({
  type: '1804',
  fields: {
    transmittedAt: '0309101528',
    stan: '000900',
    sentAt: '260309101528',
    forwardingInstitution: '957801',
    functionCode: '821',
    ...(day === undefined ? {} : { reconciliationDay: day }),
  },
  tags: {},
});

/** Says that a day has begun. @returns the action code of our answer */
async function told(day?: string): Promise<unknown> {
  const before = host.ofType('1814').length;
  send(host.sockets[0] as never, cutOver(day));
  await until(() => host.ofType('1814').length > before);
  return host.ofType('1814').at(-1)?.fields.actionCode;
}

test('a day that has begun is that of the answers after it; one that cannot be is refused, and changes nothing', async () => {
  let current: string | undefined;
  const begin = (day: string) => {
    if (day === '260310') current = '2026-03-10';
    return day === '260310';
  };
  const { link: asked, heard } = await open({ begin, current: () => current });
  expect(await asking(asked, authorization(1))).toMatchObject({ businessDay: undefined });
  expect(await told('260310')).toBe('800');
  expect(await asking(asked, authorization(2))).toMatchObject({ businessDay: '2026-03-10' });
  expect(await told('000000')).toBe('902');
  expect(heard.faults).toEqual(['other day: ']);
  expect(await asking(asked, authorization(3))).toMatchObject({ businessDay: '2026-03-10' });
});

test('a cut-over without a day is taken, and begins none', async () => {
  const begun: string[] = [];
  await open({ begin: (day) => begun.push(day) > 0, current: () => undefined });
  expect(await told()).toBe('800');
  expect(begun).toEqual([]);
});
