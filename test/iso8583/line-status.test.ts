import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Link } from '../../src/iso8583/link/link.types.ts';
import { linkTo, ScriptedHost, send } from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

let host: ScriptedHost;
let port: number;
let links: Link[];

beforeEach(async () => {
  host = new ScriptedHost();
  port = await host.listen();
  links = [];
});
afterEach(async () => {
  await host.close();
  await Promise.all(links.map((link) => link.close()));
});

const SIGN_OFF = {
  type: '1804',
  fields: {
    functionCode: '802',
    transmittedAt: '0309101528',
    stan: '000900',
    sentAt: '260309101528',
    forwardingInstitution: '957801',
  },
  tags: {},
};

function open(others: Parameters<typeof linkTo>[1] = {}): ReturnType<typeof linkTo> {
  const opened = linkTo(port, others);
  links.push(opened.link);
  return opened;
}

describe('how a line is, for people', () => {
  test('signed on since when, and its last echo', async () => {
    const from = new Date();
    const { link } = open();
    await until(() => link.ready() === 1);
    expect(link.statuses()).toMatchObject([{ state: 'Ready', echoedAt: undefined, reason: undefined, detail: '' }]);
    await link.echo();
    const [status] = link.statuses();
    expect(status?.since.getTime()).toBeGreaterThanOrEqual(from.getTime());
    expect(status?.echoedAt?.getTime()).toBeGreaterThanOrEqual(status?.since.getTime() ?? Number.NaN);
  });

  test.each([
    ['the host refuses the sign-on', '902', '902'],
    ['the host answers no sign-on', undefined, 'no answer'],
  ] as const)('reconnecting, because %s', async (_name, answer, detail) => {
    host.networkAnswer = () => answer;
    const { link } = open({ limits: { networkMs: 200, firstPauseMs: 5 } });
    await until(() => host.sockets.length >= 2);
    expect(link.statuses()).toMatchObject([{ reason: 'SignOnRefused', detail }]);
    expect(link.ready()).toBe(0);
  });

  test('reconnecting, because the host is another one', async () => {
    const { link } = open({ accepts: () => false });
    await until(() => link.statuses()[0]?.reason === 'OtherHost');
  });

  test('lost because the host signed off, ended the line, sent no frame, or echoed nothing; there again', async () => {
    const { link, heard } = open({ limits: { networkMs: 100, firstPauseMs: 5 } });
    const readyAgain = async (times: number) => {
      await until(() => heard.states.filter((state) => state === 'Ready').length === times);
      return link.statuses()[0]?.reason;
    };
    expect(await readyAgain(1)).toBeUndefined();
    send(host.sockets.at(-1) as never, SIGN_OFF);
    expect(await readyAgain(2)).toBe('SignedOff');
    host.sockets.at(-1)?.destroy();
    expect(await readyAgain(3)).toBe('Ended');
    host.sockets.at(-1)?.write('no frame at all');
    expect(await readyAgain(4)).toBe('NotReadable');
    host.networkAnswer = ({ fields }) => (fields.functionCode === '831' ? undefined : '800');
    await link.echo();
    expect(await readyAgain(5)).toBe('NoEcho');
    expect(link.statuses()).toMatchObject([{ state: 'Ready', detail: '' }]);
  });
});
