import type { Rules } from '../template-mutant.ts';
import { type Data, type Template, without, withValue } from '../template-mutant.ts';

/** The first resource of the type that has another logical id. */
function anotherOf(template: Template, type: string, logicalId: string): string {
  const [another] = Object.keys(template.Resources).filter(
    id => template.Resources[id]?.Type === type && id !== logicalId,
  );
  if (another === undefined) throw new Error(`The template has no other ${type} than ${logicalId}.`);
  return another;
}

/** Functions, their variables, and who may invoke them. */
export const functionChanges: Rules = {
  'AWS::Lambda::Function': ({ Properties }, template, logicalId) => {
    const other = anotherOf(template, 'AWS::Lambda::Function', logicalId);
    const variables = Object.entries<Data>(Properties.Environment?.Variables ?? {});
    const variablePath = (name: string) => ['Properties', 'Environment', 'Variables', name];
    return [
      without('the time-out of AWS', 'Properties', 'Timeout'),
      withValue('a time-out of a second', 1, 'Properties', 'Timeout'),
      withValue('a time-out of a quarter of an hour', 900, 'Properties', 'Timeout'),
      without('the memory of AWS', 'Properties', 'MemorySize'),
      withValue('an older Node', 'nodejs20.x', 'Properties', 'Runtime'),
      without('another processor', 'Properties', 'Architectures'),
      withValue('another handler', 'index.main', 'Properties', 'Handler'),
      without('logs in a group of AWS', 'Properties', 'LoggingConfig'),
      withValue('logs as text', 'Text', 'Properties', 'LoggingConfig', 'LogFormat'),
      withValue(
        'the role of another function',
        template.Resources[other]?.Properties.Role,
        'Properties',
        'Role',
      ),
      withValue(
        'the code of another function',
        template.Resources[other]?.Properties.Code,
        'Properties',
        'Code',
      ),
      withValue('no concurrency', 0, 'Properties', 'ReservedConcurrentExecutions'),
      withValue('a secret variable', 'hunter2', ...variablePath('API_SECRET')),
      without('another name', 'Properties', 'FunctionName'),
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
      withValue('for everybody', '*', 'Properties', 'Principal'),
      without('for every source', 'Properties', 'SourceArn'),
      withValue(
        'for another function',
        {
          'Fn::GetAtt': [
            anotherOf(template, 'AWS::Lambda::Function', Properties.FunctionName['Fn::GetAtt'][0]),
            'Arn',
          ],
        },
        ...['Properties', 'FunctionName'],
      ),
      ...(parts.length > 0
        ? [
            withValue(
              'for every method and path',
              '/*/*/*',
              ...['Properties', 'SourceArn', 'Fn::Join', 1, parts.length - 1],
            ),
          ]
        : []),
    ];
  },
};
