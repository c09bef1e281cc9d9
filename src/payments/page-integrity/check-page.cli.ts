import type { Command } from 'commander';
import { parseAddress } from '../../kit/addresses/address.ts';
import { showFindings } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { checkPageAt, type Get } from './check-page.ts';

/** Adds `page check`. It asks the service over the network alone: it can run on another machine, and should. */
export function pageCommands(program: Command, print: (text: string) => void): void {
  program
    .command('page')
    .description('what payers see')
    .command('check')
    .argument('<url>', 'the link of a payment that can be paid')
    .description('compare a payment page with what this version sends, as a browser gets it; for cron')
    .option('--json', 'print an array of {"level", "text"}')
    .action(async (link: string, { json }: { json?: true }) => {
      const url = parseAddress(link);
      if (
        url === undefined ||
        !/^https?:$/.test(url.protocol) ||
        !/^\/pay\/[^/]+\/[^/]+(\/frame)?$/.test(url.pathname)
      ) {
        throw new Trouble('Give the link of a payment page, as in https://pay.example.com/pay/…/…');
      }
      showFindings(await checkPageAt(get, url), { json: json === true, print });
    });
}

/** Milliseconds that a page, or a file, has to be answered whole. */
const TIMEOUT_MS = 20_000;
const get: Get = (url) =>
  fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en', 'cache-control': 'no-cache' },
  });
