import type { ReactNode } from 'react';
import { useReload } from '../api/queries.ts';
import { FormDialog } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** What the person should see before they decide. */
  readonly children?: ReactNode;
  readonly submit: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone, does it, and reads again what the screen shows. */
export function Confirm({ title, text, children, submit, act, onClose }: ConfirmProps) {
  const reload = useReload();
  const doIt = async () => {
    await act();
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={title} submit={submit} danger onSubmit={doIt} onClose={onClose}>
      <p>{text}</p>
      {children}
    </FormDialog>
  );
}
