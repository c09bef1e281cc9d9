import { brandOf, codeLengthOf, isCodeOptional } from '../src/kit/cards/brands.ts';
import { digitsOf, formatCode, formatExpiry, formatNumber, type Typed } from './card-format.ts';
import { codeFault, expiryFault, type Fault, numberFault } from './checks.ts';
import { find, input, readData, say } from './elements.ts';
import { followFaults, showFault, showFaults } from './faults.ts';
import { send } from './send.ts';
import type { Texts } from './texts.types.ts';
import { whenReleased } from './when-released.ts';

/** A field that is checked here, and what is wrong with it now. */
interface Checked {
  readonly id: string;
  readonly fault: () => Fault | undefined;
}

/** Makes the form more helpful than it is without a script. */
export function enhance(form: HTMLFormElement): void {
  const texts = readData<Texts>(form, 'texts', {});
  const present = checksOf(form).filter(({ id }) => input(id) !== undefined);
  formatWhileTyping('number', formatNumber);
  formatWhileTyping('expiry', formatExpiry);
  formatWhileTyping('cvc', (typed) => formatCode(typed, codeLengthOf(brandIn(form))));
  for (const check of present) checkWhileTyping(check, texts);
  const followBrand = () => showBrand(form, texts);
  form.addEventListener('input', followBrand);
  form.addEventListener('change', followBrand);
  followBrand();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const faults = present.map(({ id, fault }) => [id, textOf(fault(), texts)] as const);
    if (!showFaults([['card', ''], ...faults], texts)) void send(form, texts);
  });
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'card') return;
    // What is asked for is another now.
    showFault('card', '');
    for (const check of present) if (input(check.id)?.ariaInvalid === 'true') look(check, texts);
    followFaults();
  });
}

function checksOf(form: HTMLFormElement): readonly Checked[] {
  const ofNewCard = (fault: () => Fault | undefined) => () => (isNewCard(form) ? fault() : undefined);
  const month = form.dataset['month'] ?? '';
  return [
    { id: 'number', fault: ofNewCard(() => numberFault(typedIn('number'))) },
    { id: 'expiry', fault: ofNewCard(() => expiryFault(typedIn('expiry'), month)) },
    { id: 'cvc', fault: () => codeFault(typedIn('cvc'), brandIn(form)) },
    // What is wrong with a name only the server says; a name that was changed counts as right until then.
    { id: 'name', fault: () => undefined },
    { id: 'consent', fault: ofNewCard(() => consentFault()) },
  ];
}

function consentFault(): Fault | undefined {
  const consent = input('consent');
  return consent?.checked === true || consent?.ariaRequired !== 'true' ? undefined : 'consentMissing';
}

function typedIn(id: string): string {
  return input(id)?.value.trim() ?? '';
}

function isNewCard(form: HTMLFormElement): boolean {
  return (chosenCard(form)?.value ?? 'new') === 'new';
}

function chosenCard(form: HTMLFormElement): HTMLInputElement | undefined {
  return form.querySelector<HTMLInputElement>('input[name="card"]:checked') ?? undefined;
}

/** The brand of the stored card that is chosen, or of the number that is typed. */
function brandIn(form: HTMLFormElement): string | undefined {
  return isNewCard(form) ? brandOf(digitsOf(typedIn('number'))) : chosenCard(form)?.dataset['brand'];
}

/** Shows the brand's mark, the hint that fits its code, and what it costs. */
function showBrand(form: HTMLFormElement, texts: Texts): void {
  const brand = brandIn(form);
  showMark(form);
  const hint = texts[hintFor(brand)];
  if (hint !== undefined) say('cvc-hint', hint);
  const amounts = readData<Texts>(form, 'amounts', {});
  const label = (brand === undefined ? undefined : amounts[brand]) ?? amounts['CreditCard'];
  const shown = find('submit-label', HTMLElement);
  if (label !== undefined && shown !== undefined && find('submit', HTMLElement)?.ariaDisabled !== 'true')
    shown.textContent = label;
}

function hintFor(brand: string | undefined): string {
  if (isCodeOptional(brand)) return 'cvcHintOptional';
  return codeLengthOf(brand) === 4 ? 'cvcHintAmex' : 'cvcHint';
}

/** Beside the number stands the mark of its brand; before it is known, those of the most usual ones. */
function showMark(form: HTMLFormElement): void {
  const typed = typedIn('number');
  const brand = brandOf(digitsOf(typed));
  for (const mark of form.querySelectorAll<SVGElement>('.marks .mark')) {
    mark.classList.toggle('is-other', typed !== '' && mark.dataset['brand'] !== brand);
    mark.classList.toggle('is-own', typed !== '' && mark.dataset['brand'] === brand);
  }
}

function formatWhileTyping(id: string, format: (typed: Typed, isDeleting: boolean) => Typed): void {
  const field = input(id);
  field?.addEventListener('input', (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    const { text, caret } = format(
      { text: field.value, caret: field.selectionStart ?? field.value.length },
      isDeleting,
    );
    if (text === field.value) return;
    field.value = text;
    field.setSelectionRange(caret, caret);
  });
}

/**
 * Says what is wrong once a field is left, and clears it as soon as it is right. An empty field is ignored. The alert
 * above follows when the field is left, so that nothing moves while the payer types.
 */
function checkWhileTyping(check: Checked, texts: Texts): void {
  const field = input(check.id);
  if (field === undefined) return;
  field.addEventListener('blur', () => {
    whenReleased(() => {
      if (field.value !== '' && field.type !== 'checkbox') look(check, texts);
      followFaults();
    });
  });
  field.addEventListener(field.type === 'checkbox' ? 'change' : 'input', () => {
    if (field.ariaInvalid === 'true') look(check, texts);
  });
}

function look({ id, fault }: Checked, texts: Texts): void {
  showFault(id, textOf(fault(), texts));
}

/** A fault in words; nothing where there is none. */
function textOf(fault: Fault | undefined, texts: Texts): string {
  return texts[fault ?? ''] ?? '';
}
