import type { LineReason } from '../iso8583/link/link.types.ts';

/** Why a line did not come up, in words of an operator. */
const REASONS: Readonly<Record<Exclude<LineReason, 'CertificateName'>, string>> = {
  NothingListens: 'nothing listens there',
  NameUnknown: 'its name is not known',
  NoWay: 'there is no way to it',
  NotOpened: 'the line was not opened in time',
  CertificateExpired: 'its certificate has expired',
  CertificateNotYetValid: 'its certificate is not valid yet',
  CertificateAuthority: 'its certificate is not signed by ca',
  NoTls: 'it does not speak TLS, or refuses ours',
  OursRefused: 'it ended the line: it may not know our certificate',
  SignOnRefused: 'it refuses the sign-on',
  OtherHost: 'it names itself a test host and is not marked testHost, or the other way round',
  NotReadable: 'it does not speak this dialect',
  NoEcho: 'it answers no echo',
  SignedOff: 'it has signed off',
  Ended: 'it ended the line',
  Unknown: 'the line was lost',
};

/**
 * Why a line to an acquirer or a directory server did not come up, in words of an operator.
 *
 * @param nameIn the member that has the name which its certificate must be for
 */
export function wordsOf(reason: LineReason, nameIn: 'serverName' | 'url'): string {
  return reason === 'CertificateName' ? `its certificate has another name than ${nameIn}` : REASONS[reason];
}
