import { find, input, say } from './elements.ts';

/** Shows what is wrong with a field, or nothing where the text is empty. */
export function showFault(id: string, text: string): void {
  input(id)?.setAttribute('aria-invalid', String(text !== ''));
  say(`${id}-error`, text);
}

/**
 * Shows what is wrong with fields, at each of them and in the summary, and goes to the first one.
 *
 * @param ids all fields that were looked at: those without a fault lose the one that they had
 */
export function showFaults(ids: readonly string[], faults: ReadonlyMap<string, string>): void {
  for (const id of ids) showFault(id, faults.get(id) ?? '');
  for (const [id, text] of faults) showFault(id, text);
  const summary = find('errors', HTMLElement);
  const list = summary?.querySelector('ul');
  if (summary === undefined || list == null) return;
  list.replaceChildren(...[...faults].map(([id, text]) => line(id, text)));
  summary.hidden = faults.size === 0;
  const [first] = faults.keys();
  if (first !== undefined) fieldOf(first)?.focus();
}

function line(id: string, text: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `#${fieldOf(id)?.id ?? ''}`;
  link.textContent = text;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    fieldOf(id)?.focus();
  });
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** The field of a name: the choice of a card has one for each. */
function fieldOf(name: string): HTMLInputElement | undefined {
  return input(name) ?? document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`) ?? undefined;
}
