import { askForPassword } from './portal-api.ts';
import { Problem } from './problem.ts';
import { forgetCredentials, type PublicRequest, request } from './public-api.ts';

/**
 * A request to the public API that only a session whose password was just given may make: where it is refused, the
 * password is asked for, and new credentials make it again.
 *
 * @throws Problem
 */
export async function sensitive<Answer>(wanted: PublicRequest): Promise<Answer> {
  try {
    return await request<Answer>(wanted);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 403 || !(await askForPassword())) throw error;
    forgetCredentials();
    return await request<Answer>(wanted);
  }
}
