import { useId } from 'react';

interface FileFieldProps {
  readonly label: string;
  /** What it says it takes, as `<input accept>` has it. */
  readonly accept: string;
  readonly help: string;
  readonly onChange: (file: File | undefined) => void;
}

/** Chooses a file of this machine. */
export function FileField({ label, accept, help, onChange }: FileFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onChange(target.files?.[0])}
      />
      <span id={`${id}-help`} className="help">
        {help}
      </span>
    </div>
  );
}
