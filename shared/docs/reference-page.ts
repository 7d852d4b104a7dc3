import { createHash } from 'node:crypto';
import { OPENAPI_ROUTE, rendererRoute } from './routes.ts';

/**
 * Renders the document. OpenAPI 3.1 has no parents of tags, so the document has them as an extension; the renderer nests
 * tags by the name that OpenAPI 3.2 gives them. The renderer names landmarks alike: the responses of an operation only by
 * their statuses, and a schema like a tag. They get names of their own, for screen readers. The list of the search is open
 * as long as the search is, and its field doesn't say so.
 */
const SCRIPT = `
const reference = document.getElementById('reference');
const configuration = JSON.parse(reference.dataset.configuration);
const customFetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.url.endsWith(configuration.url)) return response;
  return new Response((await response.text()).replaceAll('"x-parent"', '"parent"'), response);
};
Scalar.createApiReference(reference, { ...configuration, customFetch });
const assist = () => {
  for (const responses of document.querySelectorAll('section[aria-labelledby] .response-card[aria-labelledby]')) {
    const operation = responses.closest('section[aria-labelledby]').getAttribute('aria-labelledby');
    const names = responses.getAttribute('aria-labelledby').split(' ');
    if (names[0] !== operation) responses.setAttribute('aria-labelledby', [operation, ...names].join(' '));
  }
  for (const schema of document.querySelectorAll('.collapsible-section[aria-label]')) {
    const name = schema.getAttribute('aria-label').replace(/^(Schema )?/, 'Schema ');
    if (schema.getAttribute('aria-label') !== name) schema.setAttribute('aria-label', name);
  }
  document.querySelector('[role=dialog] input[role=combobox]')?.setAttribute('aria-expanded', 'true');
};
new MutationObserver(assist).observe(document.body, { childList: true, subtree: true });
`;

/** Allows nothing from other origins, and no inline script but the one above. The renderer adds inline styles. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Options of Scalar's renderer. By default it loads fonts, sends telemetry and offers its vendor's services. */
const OPTIONS = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'bearer' },
};

/** The theme's colours, where their contrast with the background is below 4.5 : 1. */
const COLOURS = `
  .light-mode {
    --scalar-color-2: #555;
    --scalar-color-3: #666;
    --scalar-color-green: #00714a;
    --scalar-color-red: #c70000;
    --scalar-color-yellow: #8a5a00;
    --scalar-color-blue: #0067ab;
    --scalar-color-orange: #b03a00;
  }
  .dark-mode {
    --scalar-color-3: #919191;
    --scalar-color-red: #ff6060;
  }
`;

/**
 * Code and tables wrap instead of scrolling, which a keyboard couldn't do. Hides the list of operations in the try-out
 * panel, because it would also offer those without try-out, and the empty lists of groups. A copy button has its name also
 * while the mouse is elsewhere.
 */
const STYLES = `
  body { margin: 0; }
  .message { font: 1rem/1.5 system-ui, sans-serif; padding: 2rem; }
  body .scalar-app .markdown table { display: table; table-layout: auto; width: auto; }
  body .scalar-app .markdown :is(th, td) { word-break: normal; overflow-wrap: break-word; padding: 0.5rem 0.75rem; }
  body .scalar-app .markdown pre code, body .scalar-app .markdown pre code * { white-space: pre-wrap; overflow-wrap: anywhere; }
  .scalar-client .scalar-sidebar-toggle,
  .scalar-client main > div:has(> aside) { display: none !important; }
  .scalar-card:has(.endpoints:empty) { display: none; }
  .section:focus { outline: none; }
  [class~="group/copy-button"] .sr-only > * { display: inline !important; }
`;

/** Hides the try-out button of operations, such as `GET/store/orders`: the renderer has no option for it. */
function withoutTryOut(operations: readonly string[]): string {
  return operations
    .map(operation => `section[id$="/${operation}"] .show-api-client-button { display: none; }`)
    .join('\n  ');
}

interface ReferencePage {
  /** The path of the interface in this environment, such as /production/v1. */
  readonly basePath: string;
  /** File name of the renderer. */
  readonly renderer: string;
  /** Operations without try-out, each as method and path, such as `GET/store/orders`. */
  readonly operationsWithoutTryOut: readonly string[];
}

export function referencePage({ basePath, renderer, operationsWithoutTryOut }: ReferencePage): string {
  const documentUrl = `${basePath}${OPENAPI_ROUTE.path}`;
  const rendererUrl = `${basePath}${rendererRoute(renderer).path}`;
  const configuration = { url: documentUrl, ...OPTIONS };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore API reference</title>
<link rel="icon" href="data:,">
<style>${COLOURS}${STYLES}  ${withoutTryOut(operationsWithoutTryOut)}
</style>
</head>
<body>
<noscript><p class="message">This page needs JavaScript. The <a href="${escaped(documentUrl)}">OpenAPI document</a> does not.</p></noscript>
<div id="reference" data-configuration="${escaped(JSON.stringify(configuration))}"></div>
<script src="${escaped(rendererUrl)}"></script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
