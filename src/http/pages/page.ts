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
:root {
  color-scheme: light dark;
  --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --paper: #fff; --raised: #f6f8fa; --accent: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b3; --line: #30363d; --paper: #0d1117; --raised: #161b22; --accent: #79b8ff; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header { border-bottom: 1px solid var(--line); background: var(--raised); }
header, main { padding: 0 max(1.25rem, 50vw - 22rem); }
nav { display: flex; gap: 1.5rem; align-items: baseline; padding: .9rem 0; }
nav a { color: var(--soft); text-decoration: none; }
nav a:first-child { color: var(--ink); font-weight: 700; margin-right: auto; }
main { padding-top: 2.5rem; padding-bottom: 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1.5rem; letter-spacing: -.01em; }
h2 { font-size: 1rem; margin: 2rem 0 .25rem; }
p { margin: 0 0 .75rem; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
code { background: var(--raised); border: 1px solid var(--line); border-radius: .35em; padding: .1em .35em; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; white-space: pre-wrap; }
.soft { color: var(--soft); }
.tag { border: 1px solid var(--accent); border-radius: 1em; color: var(--accent); font-size: .85em; padding: .1em .7em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; list-style: none; margin: 2rem 0; padding: 0; }
.cards li { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.1rem; }
.cards a { font-weight: 600; }
.cards p { color: var(--soft); margin: .25rem 0 0; }`;

/** The style sheet of the service's own small pages, at `STYLE_PATH`: a file, so that no page needs inline styles. */
export const STYLE_PATH = '/assets/page.css';
export const PAGE_STYLE = STYLE.trim();

/** Pages load nothing but their own style sheet, and no page may frame them. */
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
<body>
<header><nav aria-label="Kontor"><a href="/">Kontor</a><a href="/docs">Reference</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`;
}
