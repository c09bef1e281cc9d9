import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Problem } from '../api/problem.ts';
import { useReload } from '../api/queries.ts';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';
import { useNotice } from './notice.tsx';
import { ProblemNote } from './problem-note.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Where closing would lose something, such as a secret that is shown once, only its own button closes it. */
  readonly keepOpen?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page. It is mounted while it is open. */
export function Dialog({ title, onClose, wide, keepOpen = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={!keepOpen}
      isKeyboardDismissDisabled={keepOpen}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="modal" data-wide={wide || undefined}>
        <AriaDialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface FormDialogProps extends DialogProps {
  readonly submit: string;
  readonly danger?: boolean;
  /**
   * Does it; the dialog shows a Problem that it throws, stays where it answers `stay`, and closes otherwise. It also closes where
   * what was asked for waits for another person: sent again, it would be asked for twice.
   */
  readonly onSubmit: () => Promise<'stay' | undefined>;
  readonly isReady?: boolean;
  /** What is said once it is done; absent: that this is done; null where what comes next says so. */
  readonly done?: string | null;
}

/** A dialog that does one thing. While it is being done it cannot be asked for twice. */
export function FormDialog(props: FormDialogProps) {
  const { submit, danger, onSubmit, isReady = true, done, children, ...dialog } = props;
  const { t } = useWords();
  const notify = useNotice();
  const reload = useReload();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const onFormSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || !isReady) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const outcome = await onSubmit();
      if (outcome === 'stay') setIsBusy(false);
      else {
        dialog.onClose();
        if (done !== null) notify(done ?? t('isDone', { what: dialog.title }));
      }
    } catch (failure) {
      if (failure instanceof Problem && failure.awaitsApproval) {
        await reload();
        dialog.onClose();
        notify(`${t('awaitingApproval')}. ${t('awaitingApprovalText')}`);
        return;
      }
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog {...dialog}>
      <Form className="stack-small" onSubmit={(event) => void onFormSubmit(event)}>
        {children}
        <ProblemNote error={error} />
        <div className="dialog-foot">
          {/* Never “Cancel”: beside “Cancel payment” it would not be clear which one cancels what. */}
          <Button onPress={dialog.onClose}>{t('back')}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} isDisabled={isBusy || !isReady}>
            {isBusy ? t('working') : submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
