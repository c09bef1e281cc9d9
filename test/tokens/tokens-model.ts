import type { Line } from '../support/shop/tokens-lines.ts';

/** A token as the specification's words alone make one expect it. */
export interface ModelToken {
  readonly guid: string;
  readonly payer: string;
  readonly type: string;
  readonly instrument: string;
  name: string;
  state: 'Active' | 'Archived' | 'Deleted';
  archivedBy: string | undefined;
  reason: string | undefined;
  personal: boolean;
}

/** What happens to one token, or to all of a payer. */
export type Step =
  | { readonly do: 'rename'; readonly at: number; readonly text: string }
  | { readonly do: 'archive'; readonly at: number; readonly by: string; readonly text: string }
  | { readonly do: 'delete'; readonly at: number; readonly as: string }
  | { readonly do: 'archiveAll'; readonly at: number; readonly by: string; readonly text: string }
  | { readonly do: 'deleteAll'; readonly at: number };

/** The tokens of one payee, oldest first, held in memory and changed as the specification says. */
export class TokenModel {
  readonly tokens: ModelToken[] = [];

  add(guid: string, line: Line): void {
    this.tokens.push({
      guid,
      payer: line['payerReference'] ?? '',
      type: line['tokenType'] ?? '',
      instrument: line['instrument'] ?? '',
      name: line['instrumentDisplayName'] ?? '',
      state: 'Active',
      archivedBy: undefined,
      reason: undefined,
      personal: line['instrument'] !== 'CreditCard',
    });
  }

  find(guid: string): ModelToken | undefined {
    return this.tokens.find((token) => token.guid === guid);
  }

  /** A payer's tokens, newest first. */
  list(payer: string, states: readonly string[] = ['Active', 'Archived']): ModelToken[] {
    return this.tokens.filter((token) => token.payer === payer && states.includes(token.state)).reverse();
  }

  rename(token: ModelToken, name: string): number {
    if (token.state === 'Deleted') return 404;
    token.name = name;
    return 200;
  }

  archive(token: ModelToken, archivedBy: string, reason: string): number {
    if (token.state === 'Deleted') return 404;
    if (token.state === 'Active') Object.assign(token, { state: 'Archived', archivedBy, reason });
    return 200;
  }

  delete(token: ModelToken, type: string): number {
    if (token.type !== type) return 404;
    token.state = 'Deleted';
    return 200;
  }

  archiveAll(payer: string, archivedBy: string, reason: string): void {
    for (const token of this.list(payer, ['Active'])) this.archive(token, archivedBy, reason);
  }

  /** Answers the tokens that this deleted, newest first. */
  deleteAll(payer: string): string[] {
    const deleted = this.list(payer);
    for (const token of deleted) token.state = 'Deleted';
    return deleted.map(({ guid }) => guid);
  }
}
