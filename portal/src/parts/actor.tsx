import { useWords } from '../words/words.tsx';

/** Behind it: who ran the command, on which machine. */
const COMMAND_LINE = 'operator:cli:';

interface ActorProps {
  /** As the audit trail has it: a kind and an id, or one of a few words. */
  readonly actor: string;
  /** Of a person or an access token. */
  readonly name?: string | null;
}

/** Who did something. */
export function Actor({ actor, name }: ActorProps) {
  const { named } = useWords();
  if (name !== undefined && name !== null) return <span title={actor}>{name}</span>;
  const known = named('actor', actor);
  if (known !== actor) return <span title={actor}>{known}</span>;
  if (actor.startsWith(COMMAND_LINE)) {
    return (
      <span title={actor}>
        {named('actor', 'operator:cli')} <span className="mono">{actor.slice(COMMAND_LINE.length)}</span>
      </span>
    );
  }
  const [kind = actor, id] = actor.split(':');
  return (
    <span title={actor}>
      {named('object', kind)} <span className="mono">{id}</span>
    </span>
  );
}
