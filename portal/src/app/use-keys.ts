import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { MENU } from './nav.ts';
import { useSession } from './session.tsx';

/** How long `g` waits for its second letter. */
const SECOND_LETTER_MS = 1500;

/** The keyboard outside of fields: Ctrl+K for the palette, `?` for the list of keys, `g` and a letter to go somewhere. */
export function useKeys({ onPalette, onHelp }: { readonly onPalette: () => void; readonly onHelp: () => void }): void {
  const navigate = useNavigate();
  const { can } = useSession();
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = event.timeStamp - goPressedAt.current < SECOND_LETTER_MS;
      goPressedAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (event.key === '?') onHelp();
      if (!isSecond) return;
      const place = MENU.flatMap(({ places }) => places).find(
        ({ letter, needs }) => letter === event.key && can(needs),
      );
      if (place !== undefined) void navigate({ to: place.to });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, can, onPalette, onHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null
  );
}
