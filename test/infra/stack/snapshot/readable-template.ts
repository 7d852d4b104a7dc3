import { isDeepStrictEqual } from 'node:util';
import type { Template } from '../../../../infra/local/template.ts';
import { type Statement, stableName } from '../../../../infra/local/template.ts';

/**
 * A template as a reviewer reads it: references as text, JSON within strings parsed, a line for each grant, route and
 * permission, and nothing that changes with the code of a function or from one machine to another.
 */
export interface ReadableTemplate {
  readonly Mappings: unknown;
  readonly Outputs: unknown;
  /** By name and type: the attributes beside the properties, or a sentence that says both. */
  readonly Resources: Readonly<Record<string, unknown>>;
}

/** One more part of an API would change what most of these wait for. Rules hold what matters of the order. */
const ORDERED_BY_RULES = /^AWS::ApiGateway::(Deployment|GatewayResponse|Method|Resource)$/;

export function readableTemplate({ Mappings, Outputs, Resources }: Template): ReadableTemplate {
  const text = readableIn(Resources);
  const named = Object.entries(Resources)
    .filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata')
    .map(([id, { Type, Properties, Metadata: _, DependsOn = [], ...attributes }]) => {
      const before = ORDERED_BY_RULES.test(Type) ? [] : DependsOn.map(stableName).toSorted();
      const order = before.length > 0 && { DependsOn: before };
      const readable = text({ ...attributes, ...order, ...Properties }) as Readable;
      return [`${stableName(id)} ${Type}`, SHORT[Type]?.(readable, stableName(id)) ?? readable] as const;
    });
  if (new Set(named.map(([name]) => name)).size < named.length)
    throw new Error('Two resources have the same name and type.');
  return {
    Mappings: text(Mappings),
    Outputs: text(Outputs),
    Resources: sorted(Object.fromEntries(named)),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the properties of a resource have any shape.
type Readable = Record<string, any>;

const INVOCATION =
  /^arn:\$\{AWS::Partition\}:apigateway:\$\{AWS::Region\}:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/;

/** What makes up the grants and routes of an operation, in a line or two. What a line doesn't say stays as it is. */
const SHORT: Readonly<Record<string, (resource: Readable, name: string) => unknown>> = {
  'AWS::IAM::Policy': ({ PolicyDocument, PolicyName, Roles, ...others }, name) =>
    name === PolicyName &&
    isDeepStrictEqual(Roles, [`\${${name.replace(/DefaultPolicy$/, '')}}`]) &&
    Object.keys(others).length === 0
      ? PolicyDocument
      : undefined,
  'AWS::Lambda::Permission': ({ Action, FunctionName, Principal, SourceArn, ...others }) =>
    Action === 'lambda:InvokeFunction' && SourceArn !== undefined && Object.keys(others).length === 0
      ? `${Principal} invokes ${FunctionName} from ${SourceArn}`
      : undefined,
  'AWS::ApiGateway::Method'({ HttpMethod, ResourceId, RestApiId, Integration, ...access }) {
    const { Uri = '', ...integration } = Integration;
    const [, fn] = INVOCATION.exec(Uri) ?? [];
    const isProxy = isDeepStrictEqual(integration, { IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY' });
    if (fn === undefined || !isProxy) return undefined;
    const { ApiKeyRequired, AuthorizationType, AuthorizerId, ...others } = access;
    if (Object.keys(others).length > 0) return undefined;
    const route = `${HttpMethod} ${ResourceId} of ${RestApiId} invokes ${fn}`;
    if (AuthorizationType === 'CUSTOM' && ApiKeyRequired)
      return `${route}, behind ${AuthorizerId}, by API key`;
    const isOpen = AuthorizationType === 'NONE' && !ApiKeyRequired && AuthorizerId === undefined;
    return isOpen ? `${route}, open to everybody` : undefined;
  },
};

const ASSET = /\b[0-9a-f]{64}\b/;
const SOURCE_VERSION = /^\d+\.\d+\.\d+\+[0-9a-f]{12}$/;
const HASH_OF_CONTENT = /'sha256-[\w+/]+=*'/g;

/** Replaces, in any part of a template, what isn't readable or not stable. */
function readableIn(resources: Template['Resources']): (value: unknown) => unknown {
  // An asset is named after its first user: that a function has the code of another one is seen, a change of code isn't.
  const users = new Map<string, string>();
  for (const [id, { Properties }] of Object.entries(resources)) {
    const [hash] = ASSET.exec(String(Properties.Code?.S3Key)) ?? [];
    if (hash !== undefined && !users.has(hash)) users.set(hash, stableName(id));
  }
  function readableText(text: string): unknown {
    if (text in resources) return stableName(text);
    if (SOURCE_VERSION.test(text)) return '<version of the sources>';
    if (/^[[{]/.test(text)) {
      try {
        return readable(JSON.parse(text));
      } catch {
        // A mapping template has directives where JSON has none.
      }
    }
    return text
      .replace(ASSET, hash => `<code of ${users.get(hash)}>`)
      .replaceAll(HASH_OF_CONTENT, "'sha256-<hash>'");
  }
  function readable(value: unknown): unknown {
    if (typeof value === 'string') return readableText(value);
    if (Array.isArray(value)) return value.map(readable);
    if (typeof value !== 'object' || value === null) return value;
    const reference = referenceIn(value);
    if (reference !== undefined) return readableText(reference);
    const parts = Object.entries(value).map(([key, part]) => [
      key,
      SPECIAL[key]?.(part, readable) ?? readable(part),
    ]);
    return sorted(Object.fromEntries(parts));
  }
  return readable;
}

/** A reference or a concatenation, as Fn::Sub would have it: `${PetsTable.Arn}/index/byStatus`. */
function referenceIn(value: object): string | undefined {
  const [[name, argument] = [], ...others] = Object.entries(value);
  if (others.length > 0) return undefined;
  if (name === 'Ref') return `\${${stableName(argument)}}`;
  if (name === 'Fn::GetAtt') return `\${${stableName(argument[0])}.${argument[1]}}`;
  if (name === 'Fn::Sub' && typeof argument === 'string') return argument;
  if (name !== 'Fn::Join' || argument[0] !== '') return undefined;
  const parts: (string | undefined)[] = argument[1].map((part: unknown) =>
    typeof part === 'object' && part !== null ? referenceIn(part) : String(part),
  );
  return parts.includes(undefined) ? undefined : parts.join('');
}

// biome-ignore lint/suspicious/noExplicitAny: each reads the value of its own property.
type Special = (part: any, readable: (value: unknown) => unknown) => unknown;

/** Properties that say the same dozens of times. Undefined for a value of another shape, which is read as any other. */
const SPECIAL: Readonly<Record<string, Special>> = {
  AssumeRolePolicyDocument: statementLines,
  KeyPolicy: statementLines,
  Policy: statementLines,
  PolicyDocument: statementLines,
  RequestTemplates: byTemplate,
  ResponseTemplates: byTemplate,
  MethodResponses: (
    responses: readonly { StatusCode: string; ResponseParameters?: Record<string, boolean> }[],
  ) =>
    responses.map(({ StatusCode, ResponseParameters = {}, ...others }) => {
      const headers = Object.entries(ResponseParameters).map(
        ([name, isDeclared]) => name.replace('method.response.header.', '') + (isDeclared ? '' : ' required'),
      );
      return { [StatusCode]: headers.toSorted().join(', '), ...others };
    }),
};

/** A line for each action on each resource, with its condition below it. */
function statementLines(
  document: { Version?: string; Statement?: Statement[] },
  readable: (value: unknown) => unknown,
) {
  if (!Array.isArray(document.Statement)) return undefined;
  const { Version: _, Statement, ...others } = document;
  const lines = Statement.flatMap(({ Effect, Action, Resource, Principal, ...more }) => {
    const to = Principal === undefined ? '' : ` to ${principalText(readable(Principal))}`;
    return [Action].flat().flatMap(action =>
      [Resource].flat().map(resource => {
        const line = `${Effect} ${action}${to}${resource === undefined ? '' : ` on ${readable(resource)}`}`;
        return [line, Object.keys(more).length === 0 ? line : { [line]: readable(more) }] as const;
      }),
    );
  });
  const inOrder = lines
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    .map(([, line]) => line);
  return Object.keys(others).length === 0 ? inOrder : { ...others, Statement: inOrder };
}

function principalText(principal: unknown): string {
  if (typeof principal === 'string') return principal;
  return Object.entries(principal as object)
    .map(([kind, who]) => `${kind} ${[who].flat().join(', ')}`)
    .join(' and ');
}

/** Dozens of media types have the same template. */
function byTemplate(templates: object, readable: (value: unknown) => unknown) {
  const groups = Map.groupBy(Object.entries(templates), ([, template]) => JSON.stringify(template));
  return [...groups.values()].map(entries => ({
    for: entries
      .map(([type]) => type)
      .toSorted()
      .join(', '),
    template: entries[0] && readable(entries[0][1]),
  }));
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
