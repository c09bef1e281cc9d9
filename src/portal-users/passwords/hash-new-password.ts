import { inputError } from '../../kit/errors.ts';
import type { Secret } from '../../kit/secret.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { checkPassword } from './passwords.rules.ts';

/** A password that somebody chooses, and who they are. */
export interface NewPassword {
  readonly password: Secret;
  readonly email: string;
  readonly name: string;
  /** Hashes of passwords that it must not be. */
  readonly former: readonly string[];
  /** The member that it came in. */
  readonly member: string;
}

/**
 * The hash of a password that somebody has chosen. It takes long on purpose, so it is made outside of any transaction.
 *
 * @throws Refusal `inputerror` for one that breaks the rules; `toomanyrequests` where too many wait
 */
export async function hashNewPassword(
  { passwords }: Pick<PortalUsersContext, 'passwords'>,
  { password, email, name, former, member }: NewPassword,
): Promise<string> {
  checkPassword(password.reveal(), { email, name }, member);
  for (const hash of former) {
    if (await passwords.isRight(password, hash)) throw inputError(member, 'must not be one of your last four');
  }
  return passwords.hash(password);
}
