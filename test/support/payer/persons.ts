import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { type Erased, erasePerson } from '../../../src/orders/payers/erase-person.ts';
import { findPerson, type Person } from '../../../src/orders/payers/find-person.ts';
import type { TestService } from '../service.ts';

/** Whose data: of one of both. */
type Named = { readonly payerReference: string } | { readonly email: string };

const contextOf = ({ service, database }: TestService) => ({ ...service.slices.tokens.context, read: database.read });

/** What is stored of a person of the demo payee. */
export function personOf(kontor: TestService, named: Named): Promise<Person> {
  const { payeeId } = kontor;
  const whom = 'email' in named ? { payeeId, isEmail: (text: string) => text === named.email } : { payeeId, ...named };
  return findPerson(contextOf(kontor), whom);
}

/** Erases it. */
export async function erasing(kontor: TestService, named: Named): Promise<Erased> {
  const person = await personOf(kontor, named);
  const payerReference = 'email' in named ? undefined : named.payerReference;
  const name = 'email' in named ? named.email : named.payerReference;
  const command = { payeeId: kontor.payeeId, payerReference, name, person, actor: COMMAND_LINE };
  const { erased } = await kontor.database.transact((transaction) =>
    erasePerson(transaction, contextOf(kontor), command),
  );
  return erased;
}
