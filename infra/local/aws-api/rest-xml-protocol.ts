/**
 * AWS's REST-XML protocol: `POST /2013-04-01/hostedzone <CreateHostedZoneRequest>…`. A list is an element with an
 * element for each of its items: `<Changes><Change>…</Change></Changes>`.
 */
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import { AwsApiError } from './aws-api-error.ts';
import { type RestApi, restService } from './rest-protocol.ts';
import type { AwsService } from './service-api.ts';

export interface RestXmlApi extends RestApi {
  readonly namespace: string;
  /** The members that are lists, with the elements of their items: `Changes`, `Change`. */
  readonly listItems: ListItems;
}

type ListItems = Readonly<Record<string, string>>;

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true });
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' });

export function restXmlService(api: RestXmlApi): AwsService {
  const { errorNames, namespace, listItems } = api;
  const document = (element: string, content: object) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [element]: { '@xmlns': namespace, ...content } })}`;

  return restService(api, {
    read(body, { name }) {
      if (body.length === 0) return {};
      const text = body.toString();
      if (XMLValidator.validate(text) !== true) {
        throw new AwsApiError(errorNames.unreadableRequest, 'Invalid XML');
      }
      const root = `${name}Request`;
      const parsed: Readonly<Record<string, unknown>> = parser.parse(text);
      if (!(root in parsed)) {
        const message = `Invalid XML ; the root element is not ${root}`;
        throw new AwsApiError(errorNames.unreadableRequest, message);
      }
      const content = withLists(parsed[root], listItems);
      // An element without child elements is parsed as its text.
      return typeof content === 'object' && content !== null ? content : {};
    },
    write(response, { status, headers, body = {} }, { name }) {
      const content = withItems(body, listItems) as object;
      response.writeHead(status, { 'content-type': 'text/xml', ...headers });
      response.end(document(`${name}Response`, content));
    },
    writeError({ response, requestId }, status, { name, message }) {
      const content = { Error: { Type: 'Sender', Code: name, Message: message }, RequestId: requestId };
      response.writeHead(status, { 'content-type': 'text/xml' }).end(document('ErrorResponse', content));
    },
  });
}

/** Replaces the elements of lists by their items. What is not in the form of a list is left to the input schema. */
function withLists(content: unknown, listItems: ListItems): unknown {
  if (Array.isArray(content)) return content.map(item => withLists(item, listItems));
  if (typeof content !== 'object' || content === null) return content;
  const members = Object.entries(content).map(([member, value]) => {
    const item = listItems[member];
    if (item === undefined) return [member, withLists(value, listItems)];
    if (value === '') return [member, []];
    const isList = typeof value === 'object' && Object.keys(value).join() === item;
    return [member, isList ? [value[item]].flat().map(one => withLists(one, listItems)) : value];
  });
  return Object.fromEntries(members);
}

/** Gives each item of a list its element; leaves out what is undefined. */
function withItems(content: unknown, listItems: ListItems): unknown {
  if (Array.isArray(content)) return content.map(item => withItems(item, listItems));
  if (typeof content !== 'object' || content === null) return content;
  const members = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => {
      const item = listItems[member];
      const written = withItems(value, listItems);
      return [member, item === undefined ? written : { [item]: written }];
    });
  return Object.fromEntries(members);
}
