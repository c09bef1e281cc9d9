import { flag, payeeOption } from '../kit/command.ts';

/** The options that say whose credentials are meant: a payee's or the operator's. */
export const WHOSE = payeeOption('whose');
export const OPERATORS_OWN = flag("the operator's own");
/** The same of one credential. */
export const WHOSE_IT_IS = { payee: payeeOption('whose it is'), operator: flag("it is the operator's own") };
/** The same of a new one. */
export const WHOSE_IT_WILL_BE = { payee: payeeOption('whose it is'), operator: flag("make it the operator's own") };

/** What stands between commas. Whether there are such scopes, a rule says. */
export function scopesOf(text: string): readonly string[] {
  return text.split(',').map((scope) => scope.trim());
}
