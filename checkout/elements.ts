/** An element by its id, where it is there and of this kind. */
export function find<Kind extends Element>(id: string, kind: new () => Kind): Kind | undefined {
  const found = document.getElementById(id);
  return found instanceof kind ? found : undefined;
}

/** An input by its id. */
export function input(id: string): HTMLInputElement | undefined {
  return find(id, HTMLInputElement);
}

/** Puts a text into an element by its id, and shows the element where there is a text. */
export function say(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element === null) return;
  element.textContent = text;
  element.hidden = text === '';
}

/** An attribute of an element that holds JSON. */
export function readData<Data>(element: HTMLElement, name: string, otherwise: Data): Data {
  const text = element.dataset[name];
  return text === undefined ? otherwise : (JSON.parse(text) as Data);
}
