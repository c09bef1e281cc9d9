import type { Secret } from '../../kit/secret.ts';
import type { AcquirerOperation, Agreement, TerminalChannel } from './acquirers.types.ts';

/** An agreement with what its acquirer can be asked for. */
export interface Route {
  readonly agreement: Agreement;
  readonly operations: readonly AcquirerOperation[];
}

/** What an acquirer is looked for for. */
export interface Wanted {
  readonly operation: AcquirerOperation;
  /** Undefined where it does not matter yet. */
  readonly currency?: string | undefined;
  /** Of the card, as card ranges name it; undefined where the card is not known yet. */
  readonly brand?: string | undefined;
  /** Undefined where the card is not known yet: then agreements for some BINs alone count as well. */
  readonly number?: Secret | undefined;
  /** Of mail and telephone orders, which need a terminal of their own. */
  readonly channel?: 'MailOrPhone' | undefined;
}

/**
 * The agreements under which a card can be charged, the first choice first: that with the longest BIN, then the first by
 * priority, then by id.
 *
 * @param routes of one payee
 */
export function routesFor<Known extends Route>(routes: readonly Known[], wanted: Wanted): readonly Known[] {
  return routes
    .filter((route) => fits(route, wanted))
    .map((route) => ({ route, binLength: binLength(route.agreement, wanted.number) ?? 0 }))
    .sort((a, b) => b.binLength - a.binLength || byChoice(a.route.agreement, b.route.agreement))
    .map(({ route }) => route);
}

/** Those of ready acquirers before the others, else in their order: with none ready, the first one waits for its line. */
export function readyFirst<Known extends Route>(
  routes: readonly Known[],
  isReady: (route: Known) => boolean,
): readonly Known[] {
  return [...routes.filter(isReady), ...routes.filter((route) => !isReady(route))];
}

function fits({ agreement, operations }: Route, { operation, currency, brand, number, channel }: Wanted): boolean {
  return (
    !agreement.closed &&
    operations.includes(operation) &&
    (currency === undefined || agreement.currencies.includes(currency)) &&
    (brand === undefined ? number === undefined : agreement.brands.includes(brand)) &&
    binLength(agreement, number) !== undefined &&
    (channel === undefined || hasTerminalFor(agreement, channel))
  );
}

function hasTerminalFor({ terminalChannels = {} }: Agreement, channel: TerminalChannel): boolean {
  return Object.values(terminalChannels).some((channels) => channels.includes(channel));
}

/** How many digits of the number the agreement names; 0 where it is for every one, undefined where it is for others. */
function binLength({ bins }: Agreement, number: Secret | undefined): number | undefined {
  if (bins.length === 0 || number === undefined) return 0;
  const lengths = bins.filter((bin) => number.reveal().startsWith(bin)).map((bin) => bin.length);
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}

/** The first choice first: by priority, then by id. */
function byChoice(a: Agreement, b: Agreement): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}
