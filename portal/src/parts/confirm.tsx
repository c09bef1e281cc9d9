import { useQueryClient } from '@tanstack/react-query';
import { getSession } from '../api/operations.generated.ts';
import { FormDialog } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone, does it, and reads again what the screen shows. */
export function Confirm({ title, text, submit, act, onClose }: ConfirmProps) {
  const reload = useReload();
  const doIt = async () => {
    await act();
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={title} submit={submit} danger onSubmit={doIt} onClose={onClose}>
      <p>{text}</p>
    </FormDialog>
  );
}

/** Reads again what the screen shows, after a change; what is about a state follows that: see `useRead`. */
export function useReload(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [read, , state] }) => read !== getSession && typeof state !== 'object',
    });
}
