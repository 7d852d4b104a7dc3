import { DOCUMENTED_BASE_URL } from '../../shared/docs/servers.ts';
import type { OperationDeclaration } from '../../shared/operation-declaration.ts';

/** A sample as Redocly and others show it. */
export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * The same request in four languages. They run as they are printed, with the API key in the variable KEY, and for one animal
 * its identifier in PET_ID; a test runs all of them.
 */
export function samplesOf(declaration: OperationDeclaration, client: string, body?: unknown): Sample[] {
  const { method, path, request } = declaration;
  const isList = request.shape.query?.shape.limit !== undefined;
  const [, prefix = '', parameter] = /^([^{]+)(?:\{(\w+)\})?$/.exec(path) ?? [];
  const url = `${DOCUMENTED_BASE_URL}${prefix}${isList ? '?limit=20' : ''}`;
  const variable = parameter?.replace(/[A-Z]/, '_$&').toUpperCase();
  return [
    { lang: 'Shell', label: 'curl', source: shell({ url, variable, body }) },
    { lang: 'JavaScript', label: 'Node.js', source: fetchCall({ method, url, variable, body }) },
    { lang: 'JavaScript', label: 'petstore-client', source: clientCall(client, isList) },
    { lang: 'Python', label: 'Python', source: python({ url, variable, body }) },
  ];
}

interface Request {
  /** Ends where the value of the variable follows. */
  readonly url: string;
  readonly variable: string | undefined;
  readonly body: unknown;
}

function shell({ url, variable, body }: Request): string {
  return [
    `curl -H "Authorization: Bearer $KEY" \\`,
    ...(body === undefined
      ? []
      : [`     -H 'Content-Type: application/json' \\`, `     -d '${JSON.stringify(body)}' \\`]),
    `     "${url}${variable ? `$${variable}` : ''}"`,
  ].join('\n');
}

function fetchCall({ method, url, variable, body }: Request & { readonly method: string }): string {
  const target = variable ? `\`${url}\${process.env.${variable}}\`` : `'${url}'`;
  const authorization = "Authorization: 'Bearer ' + process.env.KEY";
  return [
    `const response = await fetch(${target}, {`,
    ...(body === undefined
      ? [`  headers: { ${authorization} },`]
      : [
          `  method: '${method}',`,
          `  headers: { ${authorization}, 'Content-Type': 'application/json' },`,
          `  body: JSON.stringify(${literal(body)}),`,
        ]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'console.log(await response.json());',
  ].join('\n');
}

function clientCall(client: string, isList: boolean): string {
  return [
    "import { Petstore } from 'petstore-client';",
    '',
    'const petstore = new Petstore({',
    `  baseUrl: '${DOCUMENTED_BASE_URL}',`,
    '  apiKey: process.env.KEY,',
    '});',
    isList
      ? `for await (const item of petstore.${client}) console.log(item);`
      : `console.log(await petstore.${client});`,
  ].join('\n');
}

function python({ url, variable, body }: Request): string {
  const target = `"${url}"${variable ? ` + os.environ["${variable}"]` : ''}`;
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${target},`,
    `    headers={"Authorization": "Bearer " + os.environ["KEY"]${body === undefined ? '' : ', "Content-Type": "application/json"'}},`,
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${JSON.stringify(body, null, 1).replaceAll(/\s*\n\s*/g, ' ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.load(response))',
  ].join('\n');
}

function literal(body: unknown): string {
  return JSON.stringify(body, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
}
