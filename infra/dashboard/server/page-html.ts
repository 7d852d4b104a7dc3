import { createHash } from 'node:crypto';
import type { EnvironmentView } from './protocol.ts';

/** The document at every URL of the dashboard; the script draws the rest. */
export function pageHtml(environments: readonly EnvironmentView[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/page.css">
<script type="module" src="/assets/page.js"></script>
</head>
<body>
<div id="page" data-environments="${escaped(JSON.stringify(environments))}"></div>
<noscript>This dashboard needs JavaScript.</noscript>
</body>
</html>
`;
}

const NOTICE_STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
code { font-family: ui-monospace, monospace; }
`;

/** Allows a notice's one style element in the Content-Security-Policy. */
export const NOTICE_STYLE_SOURCE = ` 'sha256-${createHash('sha256').update(NOTICE_STYLE).digest('base64')}'`;

/** A page without script, for a browser that has no session. */
function noticeHtml(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title} · Petstore</title>
<style>${NOTICE_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/**
 * Leads on to the page, without the token in the URL. The next request comes from this document, so that the browser
 * sends the cookie (SameSite=Strict) even if the printed URL was opened from a page of another site.
 */
export function signedInHtml(path: string): string {
  return noticeHtml(
    'Opening the dashboard',
    `<p><a href="${escaped(path)}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${escaped(path)}">\n`,
  );
}

export const SIGNED_OUT_HTML = noticeHtml(
  "This browser isn't signed in",
  `<p>Open the URL that <code>petstore dashboard</code> or <code>npm start</code> printed in the terminal: its token signs this browser in. If the dashboard was restarted, the old URL no longer works.</p>
<p>If you followed a link and are signed in: <a href="/">open the dashboard</a>.</p>`,
);

export const WRONG_TOKEN_HTML = noticeHtml(
  'This URL is no longer valid',
  '<p>Its token is from an earlier run of the dashboard. Open the URL that the terminal shows now.</p>',
);

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.codePointAt(0)};`);
}
