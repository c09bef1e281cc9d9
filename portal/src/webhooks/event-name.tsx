import { Named } from '../parts/named.tsx';
import { useWords } from '../words/words.tsx';

/** A type of event in words and as programs have it: the one for who reads, the other for who writes them. */
export function EventName({ type }: { readonly type: string }) {
  const { named } = useWords();
  const [resource = ''] = type.split('.');
  return (
    <>
      <strong>
        {named('object', resource)}: <Named group="event" raw={type} />
      </strong>{' '}
      <span className="mono soft">{type}</span>
    </>
  );
}
