import type { PortalNames } from '../../../locales/portal-names-en-US.ts';
import { SelectField } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

/** Each reason has its name in the portal's languages: a new one is missing here as a type error. */
const REASONS = Object.keys({
  carddeclined: true,
  acquirerinsufficientfunds: true,
  acquirercardexpired: true,
  acquirercardstolen: true,
  acquirerpossiblefraud: true,
  acquirerinvalidamount: true,
  acquirererror: true,
  acquirergatewayerror: true,
  acquirergatewaytimeout: true,
  '3dsecuredeclined': true,
  '3dsecureusercancelled': true,
  authenticationrequired: true,
  checkfailed: true,
  velocitycheck: true,
} satisfies Record<keyof PortalNames['problem'], true>);
const ANY = 'any';

interface ReasonFieldProps {
  readonly problem: string | undefined;
  readonly onChange: (problem: string | undefined) => void;
}

/** Narrows a list to what an attempt failed by. */
export function ReasonField({ problem, onChange }: ReasonFieldProps) {
  const { t, named } = useWords();
  return (
    <SelectField
      label={t('reason')}
      choices={[{ id: ANY, label: t('all') }, ...REASONS.map((id) => ({ id, label: named('problem', id) }))]}
      value={problem ?? ANY}
      onChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
    />
  );
}
