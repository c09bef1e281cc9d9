import { assert } from '../kit/assert.ts';
import { holdInstrumentKeys, openInstrument } from '../vault/open-instrument.ts';
import { showParameters } from '../vault/show-instrument.rules.ts';
import type { SealedInstrument } from '../vault/vault.types.ts';
import { cardParameters, sealedInstrument, tokenId } from './tokens.rules.ts';
import type { StoredToken, Token, TokenWorld } from './tokens.types.ts';

/** A stored token as its payee sees it; the account or invoice behind it is opened, a card's number never is. */
export async function showToken(world: TokenWorld, token: StoredToken): Promise<Token> {
  const instrument = sealedInstrument(token);
  if (instrument !== undefined) await holdInstrumentKeys(world, [instrument]);
  return shown(world, token, instrument);
}

/** Several tokens, as `showToken` shows them. */
export async function showTokens(world: TokenWorld, tokens: readonly StoredToken[]): Promise<Token[]> {
  const instruments = tokens.map(sealedInstrument);
  const sealed = instruments.filter((instrument) => instrument !== undefined);
  if (sealed.length > 0) await holdInstrumentKeys(world, sealed);
  return tokens.map((token, index) => shown(world, token, instruments[index]));
}

function shown(world: TokenWorld, record: StoredToken, instrument: SealedInstrument | undefined): Token {
  const parameters = instrument === undefined ? cardParameters(record) : openParameters(world, instrument);
  return { id: tokenId(record), record, parameters };
}

function openParameters(world: TokenWorld, instrument: SealedInstrument): Token['parameters'] {
  const content = openInstrument(world, instrument);
  assert(content.kind !== 'Card', 'reading a token never opens a card');
  if (content.kind === 'BankAccount') return { AccountId: content.accountId.reveal() };
  if (content.kind === 'Other') return showParameters(content.parameters);
  const { email, msisdn, zipCode } = content;
  return {
    ...(email && { email: email.reveal() }),
    ...(msisdn && { msisdn: msisdn.reveal() }),
    ...(zipCode && { zipCode: zipCode.reveal() }),
  };
}
