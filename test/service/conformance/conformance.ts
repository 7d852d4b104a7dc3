import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface SeenResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Header {
  readonly required?: boolean;
  readonly schema: object;
}
interface Response {
  readonly headers?: Readonly<Record<string, { $ref: string }>>;
  /** Absent for a response without a body. */
  readonly content?: Readonly<Record<string, { schema: object }>>;
}
export interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly servers: readonly { url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Response> }>>>>;
  readonly components: { readonly headers: Readonly<Record<string, Header>> };
}

/** Returns where a response differs from the document: its status, a header, its media type, its body. */
export function conformance(document: OpenApiDocument): (response: SeenResponse) => string[] {
  const ajv = new Ajv2020({
    strict: false,
    formats: { int64: true, 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
  });
  ajv.addSchema(document, 'document');
  const validators = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object) => {
    const known = validators.get(schema);
    if (known) return known;
    // References are resolved inside the whole document.
    const validator = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
    validators.set(schema, validator);
    return validator;
  };
  const faultsOf = (schema: object, value: unknown, name: string) => {
    const validate = validatorOf(schema);
    return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
  };

  return ({ method, url, status, headers, body }) => {
    const path = new URL(url).pathname.slice(new URL(document.servers[0]?.url ?? '').pathname.length);
    const template = Object.keys(document.paths).find(candidate =>
      new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    const responses = document.paths[template ?? '']?.[method.toLowerCase()]?.responses;
    const response = responses?.[status];
    if (!response) return [`${method} ${path}: the status ${status} is not documented`];

    const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
    const bodyFaults = () => {
      if (!response.content) return body === '' ? [] : ['a body is not documented'];
      const schema = response.content[mediaType]?.schema;
      return schema
        ? faultsOf(schema, JSON.parse(body), 'body')
        : [`the media type ${mediaType} is not documented`];
    };
    const documented = Object.entries(response.headers ?? {}).map(([name, { $ref }]) => {
      const header = document.components.headers[$ref.replace('#/components/headers/', '')];
      return { name, value: headers[name.toLowerCase()], header };
    });
    return [
      ...documented.flatMap(({ name, value, header }) => {
        if (value === undefined) return header?.required ? [`the header ${name} is missing`] : [];
        return faultsOf(header?.schema ?? {}, value, name);
      }),
      ...bodyFaults(),
    ].map(fault => `${method} ${path} ${status}: ${fault}`);
  };
}
