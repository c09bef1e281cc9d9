import { useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';
import { Code } from './copyable.tsx';
import { Dialog } from './dialog.tsx';
import { Checkbox } from './fields.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly text?: string;
  /** Names and values. */
  readonly secrets: readonly (readonly [string, string])[];
  /** Says that there will be more: until all is there, the user cannot have stored it. */
  readonly awaits?: string;
  readonly onClose: () => void;
}

/** Shows what is shown once. It closes only when the person says to have stored it. */
export function SecretDialog({ title, text, secrets, awaits, onClose }: SecretDialogProps) {
  const { t } = useWords();
  const [isStored, setIsStored] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} keepOpen wide>
      <div className="note" data-tone="warn">
        {text ?? t('shownOnce')}
      </div>
      {secrets.map(([name, value]) => (
        <div className="field" key={name}>
          <span className="label">{name}</span>
          <Code text={value} label={name} />
        </div>
      ))}
      {awaits === undefined ? (
        <Checkbox isSelected={isStored} onChange={setIsStored}>
          {t('storedIt')}
        </Checkbox>
      ) : (
        <p className="soft" role="status">
          {awaits}
        </p>
      )}
      <div className="dialog-foot">
        <Button kind="primary" isDisabled={!isStored} onPress={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  );
}
