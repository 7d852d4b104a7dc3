import { createHash } from 'node:crypto';
import { OPENAPI_ROUTE, rendererRoute } from './routes.ts';

/**
 * Renders the document. OpenAPI 3.1 has no parents of tags, so the document has them as an extension; the renderer nests
 * tags by the name that OpenAPI 3.2 gives them.
 *
 * Then it corrects what the renderer tells screen readers and keyboards, which none of its options can; a test judges
 * the page, its popovers and the try-out panel with axe-core.
 */
const SCRIPT = `
const reference = document.getElementById('reference');
const configuration = JSON.parse(reference.dataset.configuration);
const customFetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.url.endsWith(configuration.url)) return response;
  return new Response((await response.text()).replaceAll('"x-parent"', '"parent"'), response);
};
reference.replaceChildren();
Scalar.createApiReference(reference, { ...configuration, customFetch });

const correct = (selector, attribute, valueOf) => {
  for (const element of document.querySelectorAll(selector)) {
    const value = valueOf(element);
    if (element.getAttribute(attribute) === value) continue;
    if (value === null) element.removeAttribute(attribute);
    else element.setAttribute(attribute, value);
  }
};
const correctAll = () => {
  // The responses of an operation have only their statuses as a name, and a schema has the name of a tag.
  correct('section[aria-labelledby] .response-card[aria-labelledby]', 'aria-labelledby', responses => {
    const operation = responses.closest('section[aria-labelledby]').getAttribute('aria-labelledby');
    const names = responses.getAttribute('aria-labelledby').split(' ');
    return [operation, ...names.filter(name => name !== operation)].join(' ');
  });
  correct('.collapsible-section[aria-label]', 'aria-label', schema =>
    schema.getAttribute('aria-label').replace(/^(Schema )?/, 'Schema '));

  // A list is open as long as its search field is there. Without an option, it isn't a list. Popovers have no role.
  correct('input[role=combobox]', 'aria-expanded', () => 'true');
  correct('input[role=combobox]:not([type=search])', 'aria-label', () => 'Search');
  correct('[id$=search-result]', 'role', list => (list.querySelector('[role=alert]') ? 'group' : 'listbox'));
  correct('[id^=headlessui-popover-panel]', 'role', () => 'dialog');
  correct('[id^=headlessui-popover-panel]', 'aria-labelledby', ({ id }) =>
    document.querySelector('[aria-controls="' + id + '"]')?.id ?? null);

  // The try-out panel: what is behind it, its editors, and the fields of its tables, which are all called Key or Value.
  const isOpen = document.querySelector('.scalar-client--open') !== null;
  correct('.references-layout > :not(:has(.scalar-client--open)), .references-layout ~ section', 'inert', () =>
    isOpen ? '' : null);
  correct('.code-input-lite__editor', 'role', () => 'textbox');
  correct('section .cm-content', 'aria-labelledby', editor => editor.closest('section').getAttribute('aria-labelledby'));
  correct('.cm-scroller', 'tabindex', () => '0');
  correct('[class~="group/copy-button"]', 'aria-controls', () => null);
  correct('button[role=none]', 'role', () => null);
  correct('td :is([aria-label]:not([type=checkbox]), [aria-haspopup=menu])', 'aria-label', field => {
    const included = field.closest('tr').querySelector('[type=checkbox]')?.ariaLabel;
    const [, name] = /^Include (?!row )(.+) in request$/.exec(included) ?? [];
    const label = (field.ariaHasPopup ? field.textContent : field.ariaLabel.split(': ').at(-1)).trim() || 'Value';
    return name ? name + ': ' + label : label;
  });
};
new MutationObserver(correctAll).observe(document.body, {
  childList: true,
  subtree: true,
  characterData: true,
  attributeFilter: ['class'],
});
// In a list of the try-out panel, Escape closes the list only.
document.body.addEventListener('keydown', event => {
  if (event.key === 'Escape' && event.target.matches('input[role=combobox]:not([type=search])')) event.stopPropagation();
});
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
 * panel, because it would also offer those without try-out; the empty lists of groups; and the choice of an
 * authentication, because there is one. A copy button has its name also while the mouse is elsewhere. The panel opens
 * without a transition: the renderer focuses it at once, which fails while it is hidden.
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
  .scalar-client--open, .scalar-client--open [role=dialog] { transition: none !important; }
  [class~="group/combobox-button"][aria-describedby] { display: none !important; }
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
<div id="reference" data-configuration="${escaped(JSON.stringify(configuration))}">
<main class="message">
<h1>Petstore API reference</h1>
<p>Loading … This page needs JavaScript. Without it, you can read the <a href="${escaped(documentUrl)}">OpenAPI document</a>.</p>
</main>
</div>
<script src="${escaped(rendererUrl)}"></script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
