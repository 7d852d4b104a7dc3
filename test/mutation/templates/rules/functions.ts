import { type Change, type Data, type Rules, type Template, without, withValue } from '../template-mutant.ts';

/** The first resource of the type that has another logical id. */
function anotherOf(template: Template, type: string, logicalId: string): string {
  const [another] = Object.keys(template.Resources).filter(
    id => template.Resources[id]?.Type === type && id !== logicalId,
  );
  if (another === undefined) throw new Error(`The template has no other ${type} than ${logicalId}.`);
  return another;
}

/** Functions, their variables, and who may invoke them. */
const functionChanges: Rules = {
  'AWS::Lambda::Function': ({ Properties }, template, logicalId) => {
    const other = anotherOf(template, 'AWS::Lambda::Function', logicalId);
    const variables = Object.entries<Data>(Properties.Environment?.Variables ?? {});
    const variablePath = (name: string) => ['Environment', 'Variables', name];
    return [
      without('the time-out of AWS', 'Timeout'),
      withValue('a time-out of a second', 1, 'Timeout'),
      withValue('a time-out of a quarter of an hour', 900, 'Timeout'),
      without('the memory of AWS', 'MemorySize'),
      withValue('an older Node', 'nodejs20.x', 'Runtime'),
      without('another processor', 'Architectures'),
      withValue('another handler', 'index.main', 'Handler'),
      without('logs in a group of AWS', 'LoggingConfig'),
      withValue('logs as text', 'Text', 'LoggingConfig', 'LogFormat'),
      withValue('the role of another function', template.Resources[other]?.Properties.Role, 'Role'),
      withValue('the code of another function', template.Resources[other]?.Properties.Code, 'Code'),
      withValue('no concurrency', 0, 'ReservedConcurrentExecutions'),
      withValue('a secret variable', 'hunter2', ...variablePath('API_SECRET')),
      without('another name', 'FunctionName'),
      ...variables.map(([name]) => without(`no variable (${name})`, ...variablePath(name))),
      ...variables
        .filter(([, value]) => template.Resources[value.Ref]?.Type === 'AWS::DynamoDB::Table')
        .map(([name, { Ref }]) =>
          withValue(
            `another table (${name})`,
            { Ref: anotherOf(template, 'AWS::DynamoDB::Table', Ref) },
            ...variablePath(name),
          ),
        ),
    ];
  },
  'AWS::Lambda::Permission': ({ Properties }, template) => {
    const [, parts = []] = Properties.SourceArn['Fn::Join'] ?? [];
    return [
      withValue('for everybody', '*', 'Principal'),
      without('for every source', 'SourceArn'),
      withValue(
        'for another function',
        {
          'Fn::GetAtt': [
            anotherOf(template, 'AWS::Lambda::Function', Properties.FunctionName['Fn::GetAtt'][0]),
            'Arn',
          ],
        },
        'FunctionName',
      ),
      ...(parts.length > 0
        ? [withValue('for every method and path', '/*/*/*', 'SourceArn', 'Fn::Join', 1, parts.length - 1)]
        : []),
    ];
  },
};

/** Schedules and events that functions are invoked by. */
const eventChanges: Rules = {
  'AWS::Events::Rule': ({ Properties }) => [
    withValue('disabled', 'DISABLED', 'State'),
    ...(Properties.ScheduleExpression
      ? [
          withValue('once a month', 'rate(30 days)', 'ScheduleExpression'),
          withValue('every minute', 'rate(1 minute)', 'ScheduleExpression'),
        ]
      : []),
    withValue('no target', [], 'Targets'),
    ...Properties.Targets.flatMap((_: Data, index: number) => [
      without(`no dead-letter queue (${index})`, 'Targets', index, 'DeadLetterConfig'),
    ]),
    ...Object.entries<Data>(Properties.EventPattern ?? {}).flatMap(([key, value]) => [
      without(`a condition less (${key})`, 'EventPattern', key),
      ...(Array.isArray(value) && value.length > 1
        ? value.map((name, index) => without(`an event less (${name})`, 'EventPattern', key, index))
        : []),
    ]),
    ...Object.keys(Properties.EventPattern?.detail ?? {}).map(key =>
      without(`a condition less (${key})`, 'EventPattern', 'detail', key),
    ),
  ],
};

/** Stands for a reference in the text of a definition while that is parsed as JSON. */
const REFERENCE = /«(\d+)»/;

/** The states of a definition by name, those within Map states included. */
function allStates({ States }: Data): Data {
  const inner = Object.values<Data>(States).map(({ ItemProcessor }) => ItemProcessor?.States);
  return Object.assign({}, States, ...inner);
}

/** The state machines: what becomes of failures, waits and choices. */
const flowChanges: Rules = {
  'AWS::StepFunctions::StateMachine': ({ Properties }) => {
    const parts: Data[] = Properties.DefinitionString['Fn::Join'][1];
    const text = parts.map((part, index) => (typeof part === 'string' ? part : `«${index}»`)).join('');

    const changed = (what: string, edit: (states: Data, definition: Data) => void): Change => {
      const definition = JSON.parse(text);
      edit(allStates(definition), definition);
      const pieces = JSON.stringify(definition)
        .split(/(«\d+»)/)
        .map(piece => {
          const [, index] = REFERENCE.exec(piece) ?? [];
          return index === undefined ? piece : parts[Number(index)];
        });
      return withValue(what, { 'Fn::Join': ['', pieces] }, 'DefinitionString');
    };

    const states = Object.entries<Data>(allStates(JSON.parse(text)));
    return states.flatMap(([name, { Type, Retry, Catch, Seconds, Choices = [] }]) => [
      ...(Retry
        ? [
            changed(`not retried (${name})`, all => delete all[name].Retry),
            changed(`retried once (${name})`, all => {
              all[name].Retry[0].MaxAttempts = 1;
            }),
            changed(`retried for one error only (${name})`, all => all[name].Retry[0].ErrorEquals.pop()),
          ]
        : []),
      ...(Catch ? [changed(`failure not caught (${name})`, all => delete all[name].Catch)] : []),
      ...(Seconds
        ? [
            changed(`a wait of a second (${name})`, all => {
              all[name].Seconds = 1;
            }),
          ]
        : []),
      ...(Type === 'Choice'
        ? [
            changed(`no default (${name})`, all => delete all[name].Default),
            ...Choices.map(({ StringEquals }: Data, index: number) =>
              changed(`a choice less (${name}, ${StringEquals ?? index})`, all =>
                all[name].Choices.splice(index, 1),
              ),
            ),
          ]
        : []),
      ...(Type === 'Fail'
        ? [
            changed(`a failure that is a success (${name})`, all => {
              all[name] = { Type: 'Succeed' };
            }),
          ]
        : []),
    ]);
  },
};

/** What runs: functions, what invokes them, and the state machines that call them. */
export const functionRules: Rules = { ...functionChanges, ...eventChanges, ...flowChanges };
