/** Text in HTML: everything that could be read as markup is escaped. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --paper: #fff; --accent: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b3; --line: #30363d; --paper: #0d1117; --accent: #79b8ff; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1.5rem; }
h2 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
code, pre { font: .9rem/1.5 ui-monospace, monospace; }
pre { border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; overflow-x: auto; white-space: pre-wrap; }
.soft { color: var(--soft); }
ul { padding-left: 1.2rem; }`;

/** The style sheet of the service's own small pages, at `STYLE_PATH`: a file, so that no page needs inline styles. */
export const STYLE_PATH = '/assets/page.css';
export const PAGE_STYLE = STYLE.trim();

/** Pages load nothing but their own style sheet, and nobody may frame them. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** A whole page. `body` is HTML; the title is text. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body><main>
${body}
</main></body>
</html>
`;
}
