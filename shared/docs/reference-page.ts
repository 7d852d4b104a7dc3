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

const STYLES = `
  body { margin: 0; }
  .loading { font: 1rem/1.5 system-ui, sans-serif; padding: 2rem; }
`;

/** The page, for an environment whose interface is at this path, such as /production/v1. */
export function referencePage(basePath: string, renderer: string): string {
  const configuration = { url: `${basePath}/openapi.json`, ...OPTIONS };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore API reference</title>
<link rel="icon" href="data:,">
<style>${STYLES}</style>
</head>
<body>
<noscript><p class="loading">This page needs JavaScript. The <a href="${escaped(`${basePath}/openapi.json`)}">OpenAPI document</a> does not.</p></noscript>
<script id="api-reference" data-configuration="${escaped(JSON.stringify(configuration))}"></script>
<script src="${escaped(`${basePath}/docs/${renderer}`)}"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
