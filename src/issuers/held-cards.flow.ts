import type { Kontor } from '../kontor.types.ts';
import { holdCard, openHeldCard } from '../vault/hold-card.ts';
import type { HeldCard, HoldName } from '../vault/vault.types.ts';
import type { Asker, Issuer } from './issuers.types.ts';
import type { CardData } from './questions.types.ts';

/** What holds cards for acquirers that want them again with what follows a payment. */
export function cardHolder(kontor: Kontor): Pick<Asker, 'holdCard' | 'openHeldCard'> {
  const { transact } = kontor.database;
  return {
    holdCard: (held) => transact((transaction) => holdCard(transaction, kontor, held)),
    openHeldCard: (name) => transact((transaction) => openHeldCard(transaction, kontor.keyRing, name)),
  };
}

/** Holds a card that is about to be asked for at an issuer, where that wants it again; it costs others nothing. */
export async function holdFor(
  { holdCard: hold }: Pick<Asker, 'holdCard'>,
  { needCard }: Issuer,
  { number, expiryDate, ...name }: HoldName & Pick<CardData, 'number' | 'expiryDate'>,
): Promise<void> {
  if (needCard.length > 0) await hold({ ...name, number, expiryDate });
}

/** The card for what follows a payment; undefined where its issuer does not want it, or it is held no more. */
export async function cardFor(
  { issuers, openHeldCard: open }: Pick<Asker, 'issuers' | 'openHeldCard'>,
  operation: Issuer['needCard'][number],
  { issuerId, ...name }: HoldName & { readonly issuerId: string },
): Promise<HeldCard | undefined> {
  return issuers.named(issuerId).needCard.includes(operation) ? open(name) : undefined;
}
