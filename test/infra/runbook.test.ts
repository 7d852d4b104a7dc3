import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { search } from 'jmespath';
import { describe, expect, test } from 'vitest';
import { stableName } from '../../infra/local/template.ts';
import { filterPattern } from '../../infra/local/testing/patterns.ts';
import { isCalled, kebabCase } from '../../infra/operator/logs/log-source.ts';
import { TABLES } from '../../infra/settings/settings.ts';
import { anchorOf } from '../../infra/stack/monitoring/service-alarm.ts';
import { parseCommandLine } from './cli/parse-command-line.ts';
import { alarmsOf } from './stack/monitoring/alarm-states.ts';
import { STACKS, templateOf } from './stack/templates.ts';

const RUNBOOK = readFileSync(resolve(import.meta.dirname, '../../infra/runbook.md'), 'utf8');

/** The articles on alarms, each with its text. */
const ARTICLES = RUNBOOK.split(/^(?=#+ )/m).flatMap(part => {
  const [, title] = /^### (.+)\n/.exec(part) ?? [];
  return title === undefined ? [] : [[title, part] as const];
});

/** The command lines of the code blocks. */
const BLOCK_LINES = [...RUNBOOK.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].flatMap(([, lines = '']) =>
  lines.trim().split('\n'),
);
/** The commands that the text names. */
const INLINE = [...RUNBOOK.matchAll(/`((?:npx cdk|petstore) [^`\n]+)`/g)].map(([, line = '']) => line);

/**
 * What `aws cloudformation list-stack-resources --query …` prints of the deployed stack: the AWS command reads all pages
 * and applies the query to the whole.
 */
function namedResources(line: string): unknown[] {
  const [, stack = '', query = ''] = /--stack-name (\S+) --query "(.+)"$/.exec(line) ?? [];
  const StackResourceSummaries = Object.entries(templateOf(stack).Resources).map(
    ([LogicalResourceId, { Type }]) => ({
      LogicalResourceId,
      PhysicalResourceId: `id-of-${LogicalResourceId}`,
      ResourceType: Type,
      ResourceStatus: 'CREATE_COMPLETE',
    }),
  );
  // More than DescribeStackResources would return.
  expect(StackResourceSummaries.length).toBeGreaterThan(100);
  return search({ StackResourceSummaries }, query);
}

const HOURS = { minute: 1 / 60, hour: 1, day: 24 };

/** The titles of the log groups of functions that rules invoke on a schedule, and how often. */
function scheduledFunctions(stack: string): { title: string; everyHours: number }[] {
  const { Resources } = templateOf(stack);
  return Object.values(Resources).flatMap(({ Type, Properties }) => {
    const [, count, unit] =
      /^rate\((\d+) (minute|hour|day)s?\)$/.exec(Properties?.ScheduleExpression ?? '') ?? [];
    if (Type !== 'AWS::Events::Rule' || unit === undefined) return [];
    const everyHours = Number(count) * HOURS[unit as keyof typeof HOURS];
    return Properties.Targets.flatMap(({ Arn }: { Arn: { 'Fn::GetAtt'?: [string] } }) => {
      const logs = Resources[Arn['Fn::GetAtt']?.[0] ?? '']?.Properties.LoggingConfig?.LogGroup.Ref;
      return logs === undefined ? [] : [{ title: logGroupTitle(logs), everyHours }];
    });
  });
}

/** As `petstore logs` has it: domain-checks-reconcile-domains for DomainChecksReconcileDomainsLogs01234567. */
const logGroupTitle = (logicalId: string) => kebabCase(stableName(logicalId).replace(/Logs$/, ''));

describe('the runbook', () => {
  test.each(STACKS)('has an article for each alarm of %s and no other, by its name or with it', stack => {
    const prefix = `petstore-${stack.replace('Petstore-', '').toLowerCase()}-`;
    const linked = alarmsOf(stack).map(([, { AlarmName, AlarmDescription }]) => {
      const [, anchor] = / Runbook: infra\/runbook\.md#([a-z0-9-]+)$/.exec(AlarmDescription) ?? [];
      const [, text] = ARTICLES.find(([title]) => anchorOf(title) === anchor) ?? [];
      const name = AlarmName.replace(prefix, '');
      expect(name === anchor || text?.includes(`\`${name}\``), AlarmName).toBe(true);
      return anchor;
    });
    expect(new Set(linked)).toEqual(new Set(ARTICLES.map(([title]) => anchorOf(title))));
  });

  test.each(ARTICLES)('says of %s what it means, what clients see, how to look and what to do', (_, text) => {
    const parts = [...text.matchAll(/^\*\*([A-Z][a-z ]+)\.\*\* \S/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Means', 'Clients see', 'Look', 'Do']);
    expect(text.replace(/^[\s\S]*\*\*Look\.\*\*|\*\*Do\.\*\*[\s\S]*$/gm, '')).toContain('```sh\n');
  });

  test.each([['public-api-latency', 'Requests took longer than two seconds', 2000]])(
    'has the threshold of %s',
    (alarm, words, threshold) => {
      expect(RUNBOOK).toContain(words);
      const [, found] =
        alarmsOf('Petstore-Production').find(([, { AlarmName }]) => AlarmName.endsWith(`-${alarm}`)) ?? [];
      expect(found?.Threshold).toBe(threshold);
    },
  );

  test('names the tables that the setting restoredTables takes', () => {
    const [, names = ''] = /names of tables in that setting are ([^.]+)\./.exec(RUNBOOK) ?? [];
    expect(names.split(/, | and /)).toEqual(TABLES);
  });

  test('has no command that is neither of petstore, aws nor cdk', () => {
    expect(BLOCK_LINES.length).toBeGreaterThan(30);
    const foreign = BLOCK_LINES.filter(
      line =>
        !/^(petstore |(until )?aws [a-z0-9-]+ [a-z-]+( |$)|npx cdk (diff|deploy|drift) Petstore-)/.test(line),
    );
    expect(foreign).toEqual([]);
  });

  test('has no call that lists the first hundred resources of a stack only, or gives up on a long wait', () => {
    expect(RUNBOOK).not.toMatch(/describe-stack-resources|aws \S+ wait /);
  });

  test.each(BLOCK_LINES.filter(line => line.startsWith('until ')))('%s waits for hours', line => {
    // In place of AWS's command: the hundredth minute is the first in which the table is active.
    const aws = 'aws() { [ $SECONDS_SLEPT -lt 6000 ] && echo CREATING || echo ACTIVE; }';
    const sleep = 'SECONDS_SLEPT=0; sleep() { SECONDS_SLEPT=$((SECONDS_SLEPT + $1)); }';
    const printed = execFileSync('/bin/sh', ['-c', `${sleep}; ${aws}\n${line}\necho $SECONDS_SLEPT`], {
      encoding: 'utf8',
    });
    expect(printed).toBe('ACTIVE\n6000\n');
  });

  test.each(
    BLOCK_LINES.filter(line => line.includes('list-stack-resources') && !line.includes('DELETE_FAILED')),
  )('%s finds what it names', line => {
    const found = namedResources(line);
    expect(found.length).toBeGreaterThan(0);
    if (line.includes('AWS::DynamoDB::Table')) expect(found).toHaveLength(TABLES.length);
    if (/Function|StateMachine/.test(line)) expect(found).toHaveLength(1);
  });

  test('says where the log of each scheduled function is, and looks back further than its schedule', () => {
    const [, text = ''] = ARTICLES.find(([title]) => title === 'Heartbeats') ?? [];
    const listed = [...text.matchAll(/^petstore logs --group (\S+) --since (\d+)h /gm)];
    const schedules = scheduledFunctions('Petstore-Production');
    expect(listed).toHaveLength(schedules.length);
    for (const { title, everyHours } of schedules) {
      const [, , since] = listed.find(([, group = '']) => isCalled({ name: '', title }, group)) ?? [];
      expect(Number(since), title).toBeGreaterThan(everyHours);
    }
  });

  test.each([...BLOCK_LINES, ...INLINE].filter(line => /petstore \w/.test(line)))(
    '%s names production',
    line => {
      expect(line).toMatch(/ --stage production\b/);
    },
  );

  const commands = [...new Set([...BLOCK_LINES, ...INLINE])].filter(line => line.startsWith('petstore '));
  test.each(commands)('%s is understood by the command', async line => {
    await parseCommandLine(line);
    const [, pattern = ''] = /--filter '([^']+)'/.exec(line) ?? [];
    expect(() => filterPattern(pattern)).not.toThrow();
  });
});
