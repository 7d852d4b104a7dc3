import type { ReadableTemplate } from './readable-template.ts';

/** What a change of the template permits, exposes or may lose, which a reviewer reads first. */
export function widening(before: ReadableTemplate, after: ReadableTemplate): string[] {
  return QUESTIONS.flatMap(({ title, facts, isWider }) => {
    const [old, current] = [facts(before), facts(after)];
    const names = [...new Set([...old.keys(), ...current.keys()])].toSorted();
    const lines = names.flatMap(name => {
      const [was, is] = [old.get(name), current.get(name)];
      if (was === is || !isWider(was, is)) return [];
      if (was === undefined) return `  + ${name}${is === '' ? '' : `: ${is}`}`;
      return is === undefined ? `  - ${name}: ${was}` : `    ${name}: ${was} -> ${is}`;
    });
    return lines.length > 0 ? [title, ...lines] : [];
  });
}

type Fact = string | number;
type Facts = ReadonlyMap<string, Fact>;

interface Question {
  readonly title: string;
  /** What the snapshot says, by the name of what it says it about. */
  readonly facts: (snapshot: ReadableTemplate) => Facts;
  readonly isWider: (was: Fact | undefined, is: Fact | undefined) => boolean;
}

const isAllowed = (line: string) => !line.startsWith('Deny ');
const isNew = (was: Fact | undefined) => was === undefined;
const isGone = (was: Fact | undefined, is: Fact | undefined) => was !== undefined && is === undefined;

const QUESTIONS: readonly Question[] = [
  { title: 'Grants', facts: statements(isAllowed), isWider: isNew },
  { title: 'What was denied', facts: statements(line => !isAllowed(line)), isWider: isGone },
  { title: 'Managed policies', facts: properties('ManagedPolicyArns'), isWider: (_, is) => is !== undefined },
  {
    title: 'Open routes',
    facts: snapshot =>
      factsOf(snapshot, (name, resource) => {
        if (!name.endsWith(' AWS::ApiGateway::Method')) return [];
        if (typeof resource === 'string')
          return resource.endsWith(', open to everybody') ? [[resource, '']] : [];
        const { AuthorizationType, ApiKeyRequired, Integration } = resource;
        const isGuarded = Integration.Type === 'MOCK' || (AuthorizationType === 'CUSTOM' && ApiKeyRequired);
        return isGuarded ? [] : [[name, JSON.stringify(resource)]];
      }),
    isWider: isNew,
  },
  {
    title: 'Endpoints',
    facts: properties('DisableExecuteApiEndpoint', 'SecurityPolicy'),
    isWider: () => true,
  },
  {
    title: 'What may invoke a function',
    facts: snapshot =>
      factsOf(snapshot, (name, resource) =>
        name.endsWith(' AWS::Lambda::Permission')
          ? [[typeof resource === 'string' ? resource : JSON.stringify(resource), '']]
          : [],
      ),
    isWider: isNew,
  },
  {
    title: 'Events and schedules that start something',
    facts: properties('EventPattern', 'ScheduleExpression'),
    isWider: () => true,
  },
  {
    title: 'Data that a deletion or replacement loses',
    facts: properties('DeletionPolicy', 'UpdateReplacePolicy'),
    isWider: (was, is) => /^Retain/.test(String(was)) && !/^Retain/.test(String(is)),
  },
  {
    title: 'Keys of tables and indexes, which CloudFormation changes by replacing them',
    facts: properties('KeySchema', 'AttributeDefinitions', 'GlobalSecondaryIndexes', 'LocalSecondaryIndexes'),
    isWider: was => was !== undefined,
  },
  {
    title: 'Timeouts that grow',
    facts: properties('Timeout', 'TimeoutInMillis', 'AuthorizerResultTtlInSeconds'),
    isWider: (was, is) => Number(is) > Number(was),
  },
];

// biome-ignore lint/suspicious/noExplicitAny: the properties of a resource have any shape.
type Resource = any;

function factsOf(
  { Resources }: ReadableTemplate,
  factsIn: (name: string, resource: Resource) => readonly (readonly [string, Fact])[],
): Facts {
  return new Map(Object.entries(Resources).flatMap(([name, resource]) => factsIn(name, resource)));
}

/** The values of these properties, of resources that have them. */
function properties(...names: string[]): Question['facts'] {
  return snapshot =>
    factsOf(snapshot, (resource, declared) =>
      names.flatMap(name => {
        const value = declared[name];
        if (value === undefined) return [];
        return [[`${resource} ${name}`, typeof value === 'object' ? JSON.stringify(value) : value] as const];
      }),
    );
}

/** The statements of all policies, with their conditions. */
function statements(isWanted: (line: string) => boolean): Question['facts'] {
  function linesIn(part: unknown): string[] {
    if (typeof part === 'string') return /^(Allow|Deny) /.test(part) ? [part] : [];
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).flatMap(([key, inner]) =>
      /^(Allow|Deny) /.test(key) ? [`${key} if ${JSON.stringify(inner)}`] : linesIn(inner),
    );
  }
  return snapshot =>
    factsOf(snapshot, (name, resource) =>
      linesIn(resource)
        .filter(isWanted)
        .map(line => [`${name.replace(/ .*/, '')}: ${line}`, ''] as const),
    );
}
