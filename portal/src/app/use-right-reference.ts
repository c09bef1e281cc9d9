import { type RefObject, useEffect } from 'react';

const REFERENCE = 'aria-activedescendant';

/**
 * Keeps a field from naming an entry that is gone: where the entries of a list are made anew while somebody types,
 * `Autocomplete` goes on naming the one that had the focus before, and screen readers look for it in vain.
 *
 * @param box what the field and its list are in
 */
export function useRightReference(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const mend = () => {
      for (const field of element.querySelectorAll(`[${REFERENCE}]`)) {
        if (document.getElementById(field.getAttribute(REFERENCE) ?? '') === null) field.removeAttribute(REFERENCE);
      }
    };
    const observer = new MutationObserver(mend);
    observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: [REFERENCE] });
    return () => observer.disconnect();
  }, [box]);
}
