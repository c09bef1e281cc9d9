import { tell, tellHeight } from './owner.ts';

let isWaiting = false;

/** Whether an answer is awaited. */
export function isBusy(): boolean {
  return isWaiting;
}

/**
 * Lets nothing be pressed while an answer is awaited, as if the page held the button down; the owner of a frame hears of
 * it, so that it does not take the frame away.
 */
export function beginBusy(button: HTMLElement): void {
  isWaiting = true;
  button.focus();
  button.setAttribute('aria-disabled', 'true');
  freeze(button, true);
  tell('trying');
}

/** Lets everything be pressed again. Undoes `beginBusy`. */
export function endBusy(button: HTMLElement): void {
  isWaiting = false;
  button.removeAttribute('aria-disabled');
  freeze(button, false);
  tell('tried');
  tellHeight();
}

const PRESSABLE = 'a, button, input, summary';

/** Everything beside the button that holds what could be pressed; what is only read stays to be read. */
function freeze(button: HTMLElement, isFrozen: boolean): void {
  for (let at: HTMLElement = button; at.parentElement !== null && at !== document.body; at = at.parentElement) {
    for (const beside of at.parentElement.children) {
      if (beside === at || (!beside.matches(PRESSABLE) && beside.querySelector(PRESSABLE) === null)) continue;
      (beside as HTMLElement).inert = isFrozen;
    }
  }
}
