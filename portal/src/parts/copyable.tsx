import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';

/** How long a button says that it has copied. */
const COPIED_MS = 1600;

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { t } = useWords();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), COPIED_MS);
  };
  const icon = isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  const name = isCopied ? t('copied') : (label ?? t('copy'));
  return label === undefined ? (
    <Button kind="quiet" small icon={icon} aria-label={name} onPress={() => void copy()} />
  ) : (
    <Button small icon={icon} onPress={() => void copy()}>
      {name}
    </Button>
  );
}

/** An id or another text that people carry elsewhere. */
export function Copyable({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  return (
    <span className="copyable">
      <span className="mono" title={text}>
        {shown}
      </span>
      <CopyButton text={text} />
    </span>
  );
}

/** Lines to paste elsewhere. */
export function Code({ text, label = 'curl' }: { readonly text: string; readonly label?: string }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: a box that scrolls must be reachable by keyboard, and have a name then. */}
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
