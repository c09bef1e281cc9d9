let isDown = false;
const waiting: (() => void)[] = [];

document.addEventListener('pointerdown', press, true);
for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, release, true);

/**
 * Does something once no button or finger is down, and the click is over that it may have been part of. What moves earlier
 * slips away from under the click, and a payer's first press of the button would do nothing.
 */
export function whenReleased(work: () => void): void {
  if (isDown) waiting.push(work);
  else setTimeout(work);
}

function press(): void {
  isDown = true;
}

function release(): void {
  isDown = false;
  for (const work of waiting.splice(0)) setTimeout(work);
}
