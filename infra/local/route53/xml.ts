/** Bodies of the Route 53 API, REST-XML of its version 2013-04-01. */
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import * as z from 'zod';
import { Route53Error } from './route53-error.ts';

const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/';

/** What the requests list. */
const LIST_MEMBERS = ['Change', 'ResourceRecord'];

const parser = new XMLParser({
  parseTagValue: false,
  ignoreDeclaration: true,
  isArray: name => LIST_MEMBERS.includes(name),
});
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' });

/** The content of a body's only element. */
export function parsedXml(body: string, element: string): unknown {
  if (XMLValidator.validate(body) !== true) throw new Route53Error('InvalidInput', 'Invalid XML');
  const document: Readonly<Record<string, unknown>> = parser.parse(body);
  if (!(element in document)) {
    throw new Route53Error('InvalidInput', `Invalid XML ; the root element is not ${element}`);
  }
  return document[element];
}

/** A document of one element. A list is an element for each of its items; what is undefined is left out. */
export function xmlDocument(element: string, content: object): string {
  const defined = JSON.parse(JSON.stringify(content));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [element]: { '@xmlns': NAMESPACE, ...defined } })}`;
}

/** What was sent, as a schema reads it. A member that the schema does not list is not supported by the local runtime. */
export function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const message = `The parameter ${issue.keys.join(', ')} of the Route 53 API is not supported by the local runtime.`;
    throw new Route53Error('NotImplemented', message);
  }
  throw new Route53Error('InvalidInput', `Invalid request: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** A boolean of XML. */
export const Flag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });
