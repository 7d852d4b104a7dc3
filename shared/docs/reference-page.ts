/** Nothing comes from elsewhere and no script stands in the page. The renderer writes its styles into the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Options of Scalar's renderer. By default it loads fonts, reports what is done, and offers its makers' services. */
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

/**
 * Words in the tables of the pages stay whole, and a table that is too wide for a phone scrolls by itself. The try-out
 * panel has no list of the operations: it would lead to those that cannot be tried out.
 */
const STYLES = `
  body { margin: 0; }
  .message { font: 1rem/1.5 system-ui, sans-serif; padding: 2rem; }
  body .scalar-app .markdown table { display: block; table-layout: auto; width: fit-content; }
  body .scalar-app .markdown :is(th, td) { word-break: normal; padding: 0.5rem 0.75rem; }
  body .scalar-app .markdown :is(th, td):not(:last-child) code { white-space: nowrap; }
  .scalar-client .scalar-sidebar-toggle,
  .scalar-client main > div:has(> aside) { display: none !important; }
`;

/** The renderer has no switch for it: the button of an operation, such as `GET/store/orders`, is not shown. */
function withoutTryOut(operations: readonly string[]): string {
  return operations
    .map(operation => `section[id$="/${operation}"] .show-api-client-button { display: none; }`)
    .join('\n  ');
}

export interface ReferencePage {
  /** Where the interface of the environment is, such as /production/v1. */
  readonly basePath: string;
  /** File name of the renderer. */
  readonly renderer: string;
  /** Method and path of the operations that have no try-out panel. */
  readonly operationsWithoutTryOut: readonly string[];
}

export function referencePage({ basePath, renderer, operationsWithoutTryOut }: ReferencePage): string {
  const configuration = { url: `${basePath}/openapi.json`, ...OPTIONS };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore API reference</title>
<link rel="icon" href="data:,">
<style>${STYLES}  ${withoutTryOut(operationsWithoutTryOut)}
</style>
</head>
<body>
<noscript><p class="message">This page needs JavaScript. The <a href="${escaped(`${basePath}/openapi.json`)}">OpenAPI document</a> does not.</p></noscript>
<script id="api-reference" data-configuration="${escaped(JSON.stringify(configuration))}"></script>
<script src="${escaped(`${basePath}/docs/${renderer}`)}"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
