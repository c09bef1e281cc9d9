import type { Command } from 'commander';
import type { Transact } from '../db/transaction.types.ts';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { CommandRuntime } from '../kit/command.types.ts';
import { REASON_CHARACTERS } from '../kit/limits.ts';
import { formatTable } from '../kit/table.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { abandonAttempt } from './abandon-attempt.flow.ts';
import { selectOpenExchanges } from './exchanges.store.ts';
import type { AttemptSettler, AttemptSubject } from './issuers.types.ts';

/** What the commands about exchanges need. */
export interface ExchangesService {
  readonly transact: Transact;
  /** Who settles what an attempt is about. */
  readonly settlers: Readonly<Record<AttemptSubject, AttemptSettler>>;
}

/** Adds `exchanges` and `abandon` to the commands about acquirers. */
export function exchangeCommands(acquirers: Command, runtime: CommandRuntime<ExchangesService>): void {
  acquirers
    .command('exchanges')
    .description('show what acquirers were asked')
    .requiredOption('--open', 'what they have not answered or acknowledged yet, of all payees, the oldest first')
    .option('--json', 'print an array')
    .action(async ({ json }: { json?: true }) => {
      const rows = await runtime.withService(({ transact }) => transact(selectOpenExchanges));
      if (json) return runtime.print(JSON.stringify(rows));
      if (rows.length === 0) return runtime.print('Nothing is open.');
      runtime.print(
        formatTable(
          ['attempt', 'acquirer', 'asked for', 'amount', 'state', 'since', 'tries', 'next', 'payee'],
          rows.map((row) => [
            row.attemptId,
            row.acquirerId,
            row.operation,
            `${row.amount} ${row.currency}`,
            row.state,
            row.createdAt,
            String(row.tries),
            row.dueAt,
            row.payeeId,
          ]),
        ),
      );
    });
  acquirers
    .command('abandon')
    .description('end what an acquirer does not acknowledge, after it was settled with the acquirer by hand')
    .argument('<attempt>', 'as exchanges --open has it')
    .requiredOption('--reason <text>', 'why; stored in the audit trail')
    .option('--json', 'print the attempt')
    .action(async (attemptId: string, { reason, json }: { reason: string; json?: true }) => {
      const words = reason.trim();
      if (words === '' || words.length > REASON_CHARACTERS) {
        throw new Trouble(`--reason has 1 to ${REASON_CHARACTERS} characters.`);
      }
      await runtime.withService((service) =>
        abandonAttempt(service, { attemptId, reason: words, actor: COMMAND_LINE }),
      );
      runtime.print(json ? JSON.stringify({ attemptId }) : 'It is abandoned: the acquirer is told no more.');
    });
}
