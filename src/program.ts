import { Command } from 'commander';
import { accountCommands } from './accounts/accounts.cli.ts';
import { backgroundCommands } from './background-commands.ts';
import { installationCommands } from './commands.ts';
import { readVersion } from './config.ts';
import { callbackSecretCommands } from './events/callback-secret.cli.ts';
import { deliveryCommands } from './events/deliveries.cli.ts';
import { webhookCommands } from './events/webhooks.cli.ts';
import { giftCardProductCommands } from './gift-cards/gift-card-products.cli.ts';
import { giftCardCommands } from './gift-cards/gift-cards.cli.ts';
import { cardImportCommand } from './gift-cards/import.cli.ts';
import { liabilityCommand } from './gift-cards/liability.cli.ts';
import { lifeCommands } from './gift-cards/life.cli.ts';
import { keyCommands } from './keys/keys.cli.ts';
import { ledgerCommands } from './ledger/ledger.cli.ts';
import { listenCommand } from './listen-command.ts';
import { accessTokenCommands } from './merchants/access-tokens.cli.ts';
import { hmacKeyCommands } from './merchants/hmac-keys.cli.ts';
import { oauthClientCommands } from './merchants/oauth-clients.cli.ts';
import { payeeCommands } from './merchants/payees.cli.ts';
import { issuerCommands } from './portal/issuers.cli.ts';
import { portalUserCommands } from './portal-users/portal-users.cli.ts';
import { createRuntimes } from './runtime.ts';
import { signingCommands } from './signing-commands.ts';
import { tokenCommands } from './tokens/tokens.cli.ts';
import { vaultCommands } from './vault/vault.cli.ts';

/**
 * The command line `kontor …`, with all of its commands. It throws what goes wrong.
 *
 * @param exit ends the process; called alone by a service that cannot go on
 */
export function kontorProgram(exit: (status: number) => void): Command {
  const given: string[] = [];
  const runtimes = createRuntimes(given);
  const program = new Command('kontor')
    .description('A self-hosted payments service. Settings are KONTOR_… environment variables; see docs/operating.')
    .version(readVersion())
    .showHelpAfterError('(`kontor help`, or --help behind a command, shows what there is)')
    .exitOverride()
    .hook('preAction', (_, command) => void given.push(...command.args, ...textsOf(command.opts())));
  installationCommands(program, exit);
  payeeCommands(program, runtimes.merchants);
  accessTokenCommands(program, runtimes.merchants);
  oauthClientCommands(program, runtimes.merchants);
  hmacKeyCommands(program, runtimes.merchants);
  signingCommands(program);
  portalUserCommands(program, runtimes.portalUsers);
  tokenCommands(program, runtimes.tokens);
  vaultCommands(program, runtimes.vault);
  giftCardProductCommands(program, runtimes.giftCards);
  const giftCards = giftCardCommands(program, runtimes.cards);
  lifeCommands(giftCards, runtimes.cardLife);
  cardImportCommand(giftCards, runtimes.cardImport);
  liabilityCommand(giftCards, runtimes.liability);
  accountCommands(program, runtimes.accounts);
  issuerCommands(program, runtimes.issuers);
  ledgerCommands(program, runtimes.ledger);
  const webhooks = program.command('webhooks').description('addresses that events are posted to');
  webhookCommands(webhooks, runtimes.events);
  deliveryCommands(webhooks, runtimes.events);
  callbackSecretCommands(program, runtimes.events);
  listenCommand(program);
  keyCommands(program, runtimes.keys);
  backgroundCommands(program, runtimes.background);
  return program;
}

/** The texts among the values of a command's options. */
function textsOf(options: Readonly<Record<string, unknown>>): string[] {
  return Object.values(options)
    .flat()
    .filter((value) => typeof value === 'string');
}
