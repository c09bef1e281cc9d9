import { parseAddress } from '../../kit/addresses/address.ts';
import { type Command, type CommandRuntime, command, needed } from '../../kit/command.ts';
import { showFindings } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { checkPageAt, type Get } from './check-page.ts';

type Runtime = Pick<CommandRuntime<never>, 'print'>;

const check = command({
  name: 'check',
  about: 'compare a payment page with what this version sends, as a browser gets it; for cron',
  args: ['url'],
  takes: { url: needed('<url>', 'the link of a payment that can be paid', readLink) },
  json: 'print an array of {"level", "text"}',
  run: async ({ print }: Runtime, { url, json }) => showFindings(await checkPageAt(get, url), { json, print }),
});

function readLink(link: string): URL {
  const url = parseAddress(link);
  const isOfPage =
    url !== undefined && /^https?:$/.test(url.protocol) && /^\/pay\/[^/]+\/[^/]+(\/frame)?$/.test(url.pathname);
  if (!isOfPage) throw new Trouble('Give the link of a payment page, as in https://pay.example.com/pay/…/…');
  return url;
}

/** Milliseconds that a page, or a file, has to be answered whole. */
const TIMEOUT_MS = 20_000;
const get: Get = (url) =>
  fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en', 'cache-control': 'no-cache' },
  });

/** `page …`. It asks the service over the network alone: it can run on another machine, and should. */
export const pageCommands: readonly Command<Runtime>[] = [check];
