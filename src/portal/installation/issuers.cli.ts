import { type Command, type CommandRuntime, command } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { IssuersService } from './installation.types.ts';
import { listIssuers } from './list-issuers.ts';

const list = command({
  name: 'list',
  about: 'show the issuers, the numbers that each decides on, and how they answered lately',
  json: 'print an array',
  run: ({ withService }: CommandRuntime<IssuersService>) =>
    withService(({ report, issuers }) => report((transaction) => listIssuers(transaction, issuers))),
  show: (found) =>
    formatTable(
      ['issuer', 'name', 'state', 'holds', 'first digits'],
      found.map((issuer) => [
        issuer.issuerId,
        issuer.issuerName,
        issuer.kind === 'Ledger' ? 'our own ledger' : issuer.state,
        `${issuer.holdSeconds / 86_400} days`,
        issuer.prefixes.join(' '),
      ]),
    ),
});

/** `issuers …`. Issuers are adapters in the program: there is nothing to create. */
export const issuerCommands: readonly Command<CommandRuntime<IssuersService>>[] = [list];
