import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** How long a notice stays: long enough to be read twice. */
const SHOWN_MS = 8000;

const NoticeContext = createContext<(text: string) => void>(() => {});

/** Says that something was done, for some seconds and to screen readers, wherever the person goes meanwhile. */
export function useNotice(): (text: string) => void {
  return useContext(NoticeContext);
}

/** Where notices appear: below everything, one at a time. */
export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const [notice, setNotice] = useState<{ readonly text: string }>();
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const [say] = useState(() => (text: string) => setNotice({ text }));
  return (
    <NoticeContext value={say}>
      {children}
      <div className="toast" role="status">
        {notice?.text}
      </div>
    </NoticeContext>
  );
}
