import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { IssuersService } from './installation.types.ts';
import { listIssuers } from './list-issuers.ts';

/** Adds `issuers list`. Issuers are adapters in the program: there is nothing to create. */
export function issuerCommands(program: Command, runtime: CommandRuntime<IssuersService>): void {
  const issuers = program
    .command('issuers')
    .description('who decides on account payments, by the first digits of numbers');
  issuers
    .command('list')
    .description('show the issuers, the numbers that each decides on, and how they answered lately')
    .option('--json', 'print an array')
    .action(async ({ json }: { json?: true }) => {
      const found = await runtime.withService(({ report, issuers: known }) =>
        report((transaction) => listIssuers(transaction, known)),
      );
      if (json) return runtime.print(JSON.stringify(found));
      const rows = found.map((issuer) => [
        issuer.issuerId,
        issuer.issuerName,
        issuer.kind === 'Ledger' ? 'our own ledger' : issuer.state,
        `${issuer.holdSeconds / 86_400} days`,
        issuer.prefixes.join(' '),
      ]);
      runtime.print(formatTable(['issuer', 'name', 'state', 'holds', 'first digits'], rows));
    });
}
