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
  const { method, path, request, success } = declaration;
  const isList = request.shape.query?.shape.limit !== undefined;
  const [, prefix = '', parameter] = /^([^{]+)(?:\{(\w+)\})?$/.exec(path) ?? [];
  const url = `${DOCUMENTED_BASE_URL}${prefix}${isList ? '?limit=20' : ''}`;
  const variable = parameter?.replace(/[A-Z]/, '_$&').toUpperCase();
  const isUsual = method === (body === undefined ? 'GET' : 'POST');
  const sent = { url, variable, body, method: isUsual ? undefined : method, isEmpty: success === 204 };
  return [
    { lang: 'Shell', label: 'curl', source: shell(sent) },
    { lang: 'JavaScript', label: 'Node.js', source: fetchCall(sent) },
    { lang: 'JavaScript', label: 'petstore-client', source: clientCall(client, isList) },
    { lang: 'Python', label: 'Python', source: python(sent) },
  ];
}

interface Request {
  /** Ends where the value of the variable follows. */
  readonly url: string;
  readonly variable: string | undefined;
  readonly body: unknown;
  /** Where it isn't what tools send by themselves: POST with a body, GET without. */
  readonly method: string | undefined;
  /** Whether the response has no body. */
  readonly isEmpty: boolean;
}

function shell({ url, variable, body, method }: Request): string {
  return [
    `curl ${method ? `-X ${method} ` : ''}-H "Authorization: Bearer $KEY" \\`,
    ...(body === undefined
      ? []
      : [`     -H 'Content-Type: application/json' \\`, `     -d '${JSON.stringify(body)}' \\`]),
    `     "${url}${variable ? `$${variable}` : ''}"`,
  ].join('\n');
}

function fetchCall({
  url,
  variable,
  body,
  method = body === undefined ? undefined : 'POST',
  isEmpty,
}: Request) {
  const target = variable ? `\`${url}\${process.env.${variable}}\`` : `'${url}'`;
  const authorization = "Authorization: 'Bearer ' + process.env.KEY";
  return [
    `const response = await fetch(${target}, {`,
    ...(method ? [`  method: '${method}',`] : []),
    ...(body === undefined
      ? [`  headers: { ${authorization} },`]
      : [
          `  headers: { ${authorization}, 'Content-Type': 'application/json' },`,
          `  body: JSON.stringify(${literal(body)}),`,
        ]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(${isEmpty ? 'response.status' : 'await response.json()'});`,
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

function python({ url, variable, body, method, isEmpty }: Request): string {
  const target = `"${url}"${variable ? ` + os.environ["${variable}"]` : ''}`;
  return [
    `import ${isEmpty && body === undefined ? '' : 'json, '}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    ${target},`,
    `    headers={"Authorization": "Bearer " + os.environ["KEY"]${body === undefined ? '' : ', "Content-Type": "application/json"'}},`,
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${JSON.stringify(body, null, 1).replaceAll(/\s*\n\s*/g, ' ')}).encode(),`]),
    ...(method ? [`    method="${method}",`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    print(${isEmpty ? 'response.status' : 'json.load(response)'})`,
  ].join('\n');
}

function literal(body: unknown): string {
  return JSON.stringify(body, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
}
