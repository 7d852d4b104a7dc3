import { OPENAPI_ROUTE, rendererRoute } from './routes.ts';

/** Allows nothing from other origins and no inline script. The renderer adds inline styles. */
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

/**
 * Keeps the words in tables whole; a table that is too wide for a phone scrolls. Hides the list of operations in the
 * try-out panel, because it would also offer those without try-out.
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
<style>${STYLES}  ${withoutTryOut(operationsWithoutTryOut)}
</style>
</head>
<body>
<noscript><p class="message">This page needs JavaScript. The <a href="${escaped(documentUrl)}">OpenAPI document</a> does not.</p></noscript>
<script id="api-reference" data-configuration="${escaped(JSON.stringify(configuration))}"></script>
<script src="${escaped(rendererUrl)}"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
