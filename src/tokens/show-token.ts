import { assert } from '../kit/assert.ts';
import { holdInstrumentKeys, openInstrument } from '../vault/open-instrument.ts';
import { showParameters } from '../vault/show-instrument.rules.ts';
import type { SealedInstrument } from '../vault/vault.types.ts';
import { cardParameters, sealedInstrument, tokenId } from './tokens.rules.ts';
import type { StoredToken, Token, TokenContext } from './tokens.types.ts';

/** A stored token as its payee sees it; the account or invoice behind it is opened, a card's number never is. */
export async function showToken(context: TokenContext, token: StoredToken): Promise<Token> {
  const instrument = sealedInstrument(token);
  if (instrument !== undefined) await holdInstrumentKeys(context.keyRing, [instrument]);
  return shown(context, token, instrument);
}

/** Several tokens, as `showToken` shows them. */
export async function showTokens(context: TokenContext, tokens: readonly StoredToken[]): Promise<Token[]> {
  const instruments = tokens.map(sealedInstrument);
  const sealed = instruments.filter((instrument) => instrument !== undefined);
  if (sealed.length > 0) await holdInstrumentKeys(context.keyRing, sealed);
  return tokens.map((token, index) => shown(context, token, instruments[index]));
}

function shown(context: TokenContext, record: StoredToken, instrument: SealedInstrument | undefined): Token {
  const parameters = instrument === undefined ? cardParameters(record) : openParameters(context, instrument);
  return { id: tokenId(record), record, parameters };
}

function openParameters(context: TokenContext, instrument: SealedInstrument): Token['parameters'] {
  const content = openInstrument(context.keyRing, instrument);
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
