import type { Transact } from '../db/transaction.types.ts';
import { COMMAND_LINE } from '../kit/caller.ts';
import { type Command, type CommandRuntime, command, flag, needed } from '../kit/command.ts';
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

type Runtime = CommandRuntime<ExchangesService>;

const exchanges = command({
  name: 'exchanges',
  about: 'show what acquirers were asked',
  takes: {
    open: {
      ...flag('what they have not answered or acknowledged yet, of all payees, the oldest first'),
      isNeeded: true as const,
    },
  },
  json: 'print an array',
  run: ({ withService }: Runtime) => withService(({ transact }) => transact(selectOpenExchanges)),
  show: (rows) =>
    rows.length === 0
      ? 'Nothing is open.'
      : formatTable(
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
});

const abandon = command({
  name: 'abandon',
  about: 'end what an acquirer does not acknowledge, after it was settled with the acquirer by hand',
  args: ['attempt'],
  takes: {
    attempt: needed('<attempt>', 'as exchanges --open has it'),
    reason: needed('<text>', 'why; stored in the audit trail', (text) => {
      const words = text.trim();
      if (words === '' || words.length > REASON_CHARACTERS) {
        throw new Trouble(`It has 1 to ${REASON_CHARACTERS} characters.`);
      }
      return words;
    }),
  },
  json: 'print the attempt',
  run: async ({ withService }: Runtime, { attempt: attemptId, reason }) => {
    await withService((service) => abandonAttempt(service, { attemptId, reason, actor: COMMAND_LINE }));
    return { attemptId };
  },
  show: () => 'It is abandoned: the acquirer is told no more.',
});

/** Those of `acquirers …` that are about what acquirers were asked. */
export const exchangeCommands: readonly Command<Runtime>[] = [exchanges, abandon];
