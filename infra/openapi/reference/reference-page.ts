import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DOCUMENTED_BASE_URL, escapedHtml as escaped } from '../../../shared/docs/servers.ts';
import type { openApiDocument } from '../document.ts';
import type { Sample } from '../samples.ts';
import { blocks, code, inline, table } from './markdown.ts';

/** What the page shows of the document. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly default?: unknown;
  readonly 'x-default'?: unknown;
  readonly examples?: readonly unknown[];
}

interface Content {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: { readonly 'application/json': Content };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: { readonly 'application/json': Content };
  };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-stability': string;
  readonly 'x-badges'?: readonly { readonly name: string }[];
  readonly 'x-hideTryItPanel'?: boolean;
  readonly 'x-codeSamples': readonly Sample[];
}

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly 'x-parent'?: string;
}

interface ShownDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

interface ShownOperation extends Operation {
  readonly method: string;
  readonly path: string;
  /** As links to the page have named it since its first version. */
  readonly anchor: string;
}

const style = readFileSync(new URL('reference.css', import.meta.url), 'utf8');
const script = readFileSync(new URL('reference.js', import.meta.url), 'utf8');

/** Allows the script and the style of the page, requests to its own origin, and nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The reference page: all of the document as HTML, which is read without a script. The script adds search, colors of code,
 * try-out panels and buttons that copy. The function that serves the page fills in the servers.
 */
export function referencePage(from: ReturnType<typeof openApiDocument>) {
  const document = from as unknown as ShownDocument;
  const { info, tags, components } = document;
  const outer = tags.slice(0, -1);
  const innermost = tags.at(-1);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lowerCase, operation]): ShownOperation => {
      const method = lowerCase.toUpperCase();
      return { ...operation, method, path, anchor: `tag/${innermost?.name}/${method}${path}` };
    }),
  );
  const chapters = info.description.split(/^# /m).slice(1).map(chapterOf);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(`Reference of the ${info.title} API, version ${info.version}: every operation, parameter, response and error, with samples.`)}">
<title>${info.title} API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<nav aria-label="Contents">
<p class="brand">${info.title} <small>v${info.version}</small></p>
<div role="search" hidden>
<input role="combobox" aria-label="Search this page" aria-autocomplete="list" aria-expanded="false" aria-controls="found" aria-keyshortcuts="/" placeholder="Search" enterkeyhint="go" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div role="listbox" id="found" aria-label="Search results" hidden></div>
<p role="status"></p>
</div>
<ul>
${chapters.map(({ title, anchor }) => `<li><a href="#${anchor}">${title}</a></li>`).join('\n')}
${navigationOf(undefined, tags, operations)}
<li><a href="#objects">Objects</a></li>
</ul>
</nav>
<main id="main">
<header>
<h1>${info.title} API</h1>
<p class="lead">${inline(info.summary)}</p>
<dl><dt>Base URL</dt><dd>${based(`<code>${DOCUMENTED_BASE_URL}</code>`)}</dd>
<dt>OpenAPI 3.1</dt><dd><a href="${DOCUMENTED_BASE_URL}/openapi.json">openapi.json</a></dd></dl>
</header>
${chapters.map(each => linked(chapter(each), operations)).join('\n')}
<section id="tag/${innermost?.name}">
<p class="eyebrow">${outer.map(({ name, description }) => `<strong>${name}</strong>: ${inline(description)}`).join(' ')}</p>
<h2>${innermost?.name}</h2>
<p>${inline(innermost?.description ?? '')}</p>
</section>
${operations.map(operation => operationSection(operation, components)).join('\n')}
<section id="objects"><h2>Objects</h2>
${Object.entries(components.schemas).map(objectSection).join('\n')}
</section>
</main>
<script>${script}</script>
</body>
</html>
`;
  return { html, contentSecurityPolicy: CONTENT_SECURITY_POLICY };
}

function chapterOf(markdown: string) {
  const [title = '', ...lines] = markdown.split('\n');
  return { title, anchor: `description/${title.toLowerCase().replaceAll(' ', '-')}`, text: lines.join('\n') };
}

function chapter({ title, anchor, text }: ReturnType<typeof chapterOf>): string {
  return `<section id="${anchor}"><h2>${title}</h2>\n${based(blocks(text))}\n</section>`;
}

/** Operations that a chapter names are links to them. */
function linked(html: string, operations: readonly ShownOperation[]): string {
  return operations.reduce((text, { method, path, anchor }) => {
    const name = `<code>${method} ${path}</code>`;
    return text.replaceAll(name, `<a href="#${anchor}">${name}</a>`);
  }, html);
}

/** The base URL as the try-out panel changes it. */
function based(html: string): string {
  return html.replaceAll(DOCUMENTED_BASE_URL, `<span class="base">${DOCUMENTED_BASE_URL}</span>`);
}

/** The groups of the navigation, each inside of its parent, and the operations inside of the last. */
function navigationOf(
  parent: string | undefined,
  tags: readonly Tag[],
  operations: readonly ShownOperation[],
): string {
  const children = tags.filter(tag => tag['x-parent'] === parent);
  if (children.length === 0) return operations.map(navigationEntry).join('\n');
  return children
    .map(({ name }) => `<li><span>${name}</span><ul>${navigationOf(name, tags, operations)}</ul></li>`)
    .join('\n');
}

function navigationEntry({ anchor, method, summary, 'x-stability': stability }: ShownOperation): string {
  const mark = stability === 'stable' ? '' : ` ${chip(stability)}`;
  return `<li><a href="#${anchor}"><b class="${method}">${method}</b> ${summary}${mark}</a></li>`;
}

function chip(stability: string): string {
  return `<span class="chip ${stability}">${stability}</span>`;
}

function operationSection(
  operation: ShownOperation,
  { schemas, headers }: ShownDocument['components'],
): string {
  const { operationId, anchor, method, path, summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const badges = (operation['x-badges'] ?? []).map(
    ({ name }) => ` <span class="chip removed">${name}</span>`,
  );
  const all = Object.entries(responses);
  const [[status, success] = ['', undefined]] = all;
  const content = success?.content?.['application/json'];
  return `<section class="operation" id="${anchor}">
<div>
<h2>${summary}</h2>
<p class="route"><b class="${method}">${method}</b> <code>${path}</code> ${chip(operation['x-stability'])}${badges.join('')} <small>${operationId}</small></p>
${blocks(operation.description)}
${parameters.length > 0 ? `<h3>Parameters</h3>\n${table(['Name', 'Description'], parameters.map(parameterRow))}` : ''}
${requestBody && body ? `<h3>Body</h3>\n<p>${typeOf(body.schema)}: ${inline(requestBody.description)}</p>\n${fieldsOf(schemaAt(schemas, body.schema))}` : ''}
<h3>Response</h3>
<p><b>${status}</b> ${content ? `${typeOf(content.schema)}: ` : ''}${inline(success?.description ?? '')}</p>
<h3>Errors</h3>
${table(['Status', 'Code', 'Meaning and example'], all.slice(1).flatMap(errorRows))}
<h3>Response headers</h3>
${table(['Name', 'With', 'Description'], headerRows(responses, headers))}
</div>
<div class="beside">
${samples(operation)}
${content ? `<h3>Response ${status}</h3>\n${code(JSON.stringify(Object.values(content.examples)[0]?.value, null, 2))}` : ''}
${operation['x-hideTryItPanel'] ? '' : tryOut(operation, schemas)}
</div>
</section>`;
}

function parameterRow({ name, in: place, required, description, schema }: Parameter): string[] {
  return fieldRow(name, schema, [place, ...(required ? ['required'] : [])], description);
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) =>
    fieldRow(name, schema, required.includes(name) ? ['required'] : [], schema.description),
  );
  return table(['Name', 'Description'], rows);
}

function fieldRow(name: string, schema: Schema, notes: readonly string[], description = ''): string[] {
  const standard = schema.default ?? schema['x-default'];
  const more = [
    ...(schema.minimum === undefined ? [] : [`${schema.minimum} to ${schema.maximum}`]),
    ...(standard === undefined ? [] : [`default <code>${standard}</code>`]),
  ];
  return [
    `<code>${name}</code><small>${[typeOf(schema), ...notes].join(', ')}</small>`,
    `${inline(description)}${more.length > 0 ? `<small>${more.join(', ')}</small>` : ''}`,
  ];
}

function typeOf({ $ref, type, format }: Schema): string {
  const name = $ref?.split('/').at(-1);
  if (name) return `<a href="#objects/${name}">${name}</a>`;
  return `${type}${format ? ` (${format})` : ''}`;
}

function schemaAt(schemas: ShownDocument['components']['schemas'], schema: Schema): Schema {
  const { $ref, ...own } = schema;
  return $ref ? { ...schemas[$ref.split('/').at(-1) ?? ''], ...own } : schema;
}

function errorRows([status, { content }]: [string, Response]): string[][] {
  const examples = Object.entries(content?.['application/json'].examples ?? {});
  return examples.map(([errorCode, { summary, value }]) => {
    const { message } = value as { readonly message: string };
    const example = message === summary ? '' : `<q>${escaped(message)}</q>`;
    return [status, `<code>${errorCode}</code>`, `${inline(summary)}${example}`];
  });
}

/** Each header once, with the statuses that have it. */
function headerRows(
  responses: Operation['responses'],
  headers: ShownDocument['components']['headers'],
): string[][] {
  const all = Object.entries(responses).flatMap(([status, response]) =>
    Object.entries(response.headers).map(([name, { $ref }]) => ({ status, name, $ref })),
  );
  return [...Map.groupBy(all, ({ name, $ref }) => `${name} ${$ref}`).values()].map(([first, ...others]) => {
    const { name = '', $ref = '' } = first ?? {};
    const statuses = [first, ...others].map(each => each?.status);
    const isOnAll = statuses.length === Object.keys(responses).length;
    const { description = '' } = headers[$ref.split('/').at(-1) ?? ''] ?? {};
    return [`<code>${name}</code>`, isOnAll ? 'all' : statuses.join(', '), inline(description)];
  });
}

/** Radio buttons choose the language, also without a script. */
function samples({ operationId, 'x-codeSamples': all }: ShownOperation): string {
  const choices = all.map(({ label }, index) => {
    const id = `${operationId}-${label}`;
    const checked = index === 0 ? ' checked' : '';
    return `<input type="radio" name="${operationId}-language" id="${id}" value="${label}"${checked}><label for="${id}">${label}</label>`;
  });
  return `<fieldset class="samples"><legend>Request</legend>${choices.join('')}
${all.map(({ source }) => `<div>${based(code(source))}</div>`).join('\n')}
</fieldset>`;
}

/** The script shows it: without one it couldn't send anything. */
function tryOut(operation: ShownOperation, schemas: ShownDocument['components']['schemas']): string {
  const { operationId, method, path, parameters = [], requestBody } = operation;
  const field = (name: string, label: string, control: (id: string) => string) => {
    const id = `${operationId}-try-${name}`;
    return `<label for="${id}">${label}</label>${control(id)}`;
  };
  const fields = parameters.map(parameter => {
    const { name, required, in: place } = parameter;
    const { enum: values, default: standard } = schemaAt(schemas, parameter.schema);
    const attributes = (id: string) =>
      `id="${id}" name="${name}" data-in="${place}"${required ? ' required' : ''}`;
    return field(name, `${name} <small>${place}</small>`, id =>
      values
        ? `<select ${attributes(id)}><option value=""></option>${values.map(value => `<option>${value}</option>`).join('')}</select>`
        : `<input ${attributes(id)} autocomplete="off"${standard === undefined ? '' : ` placeholder="${standard}"`}>`,
    );
  });
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  return `<form hidden data-method="${method}" data-path="${path}" aria-label="Try out: ${operation.summary}">
<h3>Try it out</h3>
${field('server', 'Server', id => `<select id="${id}" name="server"><option></option></select>`)}
${field('key', 'API key', id => `<input id="${id}" name="key" required autocomplete="off" spellcheck="false" placeholder="pet_live_…">`)}
${fields.join('\n')}
${example ? field('body', 'Body', id => `<textarea id="${id}" name="body" rows="4" spellcheck="false">${escaped(JSON.stringify(example.value, null, 2))}</textarea>`) : ''}
<button>Send request</button>
<div role="status"></div>
</form>`;
}

function objectSection([name, schema]: [string, Schema]): string {
  const { enum: values, items, properties, description = '' } = schema;
  const content = properties
    ? fieldsOf(schema)
    : `<p>${items ? `Array of ${typeOf(items)}.` : `One of ${values?.map(value => `<code>${value}</code>`).join(', ')}.`}</p>`;
  return `<section id="objects/${name}"><h3>${name}</h3><p>${inline(description)}</p>\n${content}</section>`;
}
