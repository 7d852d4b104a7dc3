import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../../shared/operations.ts';
import { placeOf, resourcesOf, STACKS, templateOf } from '../templates.ts';
import { alarmsOf } from './alarm-states.ts';

interface Widget {
  readonly type: string;
  readonly properties: Record<string, string> & { readonly metrics?: unknown[]; readonly alarms?: string[] };
}

describe.each(STACKS)('the dashboard of %s', stack => {
  const template = templateOf(stack);
  const [dashboard] = resourcesOf(template, 'AWS::CloudWatch::Dashboard').values();
  const widgets: Widget[] = JSON.parse(placeOf(dashboard?.Properties.DashboardBody)).widgets;
  const titled = (title: string) => widgets.find(({ properties }) => properties.title === title)?.properties;

  test('answers its questions from top to bottom', () => {
    const texts = widgets.filter(({ type }) => type === 'text').map(({ properties }) => properties.markdown);
    expect(texts).toEqual([
      '## Is it up?',
      '## Is it fast?',
      '## Is it used?',
      '## Is it cheap?',
      '## Are domains well?',
    ]);
  });

  test('shows every alarm that notifies somebody', () => {
    const notifying = alarmsOf(stack).filter(([, { AlarmActions }]) => AlarmActions);
    expect(titled('Alarms')?.alarms).toHaveLength(notifying.length);
  });

  test('shows the requests of every operation, and those of each key by a query of the access log', () => {
    const operations = JSON.stringify(titled('Requests by operation')?.metrics);
    for (const { name } of OPERATIONS) expect(operations).toContain(name);
    expect(titled('Requests by key id')?.query).toMatch(/^SOURCE 'PublicApiAccessLogs' \| .*by keyId/s);
  });

  test('has a name of its own in each environment and region, since dashboards are not bound to a region', () => {
    expect(placeOf(dashboard?.Properties.DashboardName)).toBe(
      `petstore-${stack.replace('Petstore-', '').toLowerCase()}-<AWS::Region>`,
    );
  });
});

test.each(STACKS)(
  'the saved queries of %s are in a folder of the environment, over log groups of it',
  stack => {
    const template = templateOf(stack);
    const queries = [...resourcesOf(template, 'AWS::Logs::QueryDefinition')];
    const folder = `petstore-${stack.replace('Petstore-', '').toLowerCase()}/`;
    expect(queries.map(([, { Properties }]) => Properties.Name.replace(folder, '')).toSorted()).toEqual([
      'errors and warnings of the functions',
      'failed requests',
      'refused requests by reason',
      'slow requests',
    ]);
    for (const [id, { Properties }] of queries) {
      expect(Properties.Name.startsWith(folder), id).toBe(true);
      expect(Properties.LogGroupNames.length, id).toBeGreaterThan(0);
      expect(Properties.LogGroupNames.length, id).toBeLessThanOrEqual(50);
      expect(Properties.QueryString, id).toMatch(/^fields \S/);
    }
  },
);
