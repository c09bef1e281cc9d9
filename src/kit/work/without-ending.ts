/**
 * A text without the characters of this one kind at its end. In place of `/=+$/`, which looks through every run of them
 * again from each of its places where something else follows.
 */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end--;
  return text.slice(0, end);
}
