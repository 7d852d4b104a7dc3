import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { ratioChart } from '../bench/report.ts';
import { latencyChart } from '../soak/latency-chart.ts';
import { Latencies } from '../soak/report.ts';
import { barChart } from './bar-chart.ts';

function texts(svg: string): string[] {
  expect(XMLValidator.validate(svg)).toBe(true);
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(svg);
  return [parsed.svg.text].flat().map((text: { '#text'?: unknown }) => String(text['#text']));
}

describe('the chart of ratios', () => {
  test('names the groups and shows every value, of the peers too', () => {
    const row = { cpuMicroseconds: 1 };
    const svg = ratioChart({
      warm: [
        { ...row, workload: 'create', variant: 'bare handler', ratio: 1 },
        { ...row, workload: 'create', variant: 'petstore', ratio: 0.89 },
        { ...row, workload: 'create', variant: 'Hono', ratio: 1.28 },
      ],
    });
    expect(texts(svg ?? '')).toEqual(
      expect.arrayContaining(['petstore', 'Hono', 'warm: create', '0.89', '1.28']),
    );
  });

  test('is absent when nothing was compared', () => {
    expect(ratioChart({})).toBeUndefined();
  });
});

test('a bar chart has a title, a unit and colours for light and dark pages, and escapes its texts', () => {
  const svg = barChart({
    title: 'A & B',
    unit: 'ratio <1',
    series: ['one'],
    groups: [{ name: 'group', values: [2] }],
    even: { value: 1, name: 'even' },
  });
  expect(texts(svg)).toEqual(expect.arrayContaining(['A & B', 'ratio <1']));
  expect(svg).toContain('prefers-color-scheme:dark');
});

describe('the chart of latencies', () => {
  const latencies = new Latencies();
  for (let ms = 0; ms < 100; ms += 1) latencies.add(500, ms, ms > 97);
  latencies.add(61_000, 5000, true);

  test('has the storms, the kills and the share that failed, and its axes have units', () => {
    const svg = latencyChart({
      seed: 1,
      minutes: 1,
      latencies: latencies.slots(),
      phases: [{ kind: 'storm', fromMs: 1000, toMs: 2000, rate: 0.3 }],
      kills: [{ of: 'service', atMs: 1500, readyAtMs: 3000 }],
    });
    expect(texts(svg)).toEqual(expect.arrayContaining(['100 ms', '10 s', '1.0 min', 'storm of faults', '✕']));
    expect(svg.match(/class="storm"/g)).toHaveLength(2);
    expect(svg.match(/class="failed"/g)).toHaveLength(1);
  });

  test('is drawn from the percentiles of every second', () => {
    expect(latencies.slots()).toEqual([
      { second: 0, requests: 100, failed: 2, p50: 50, p99: 99, slowest: 99 },
      { second: 61, requests: 1, failed: 1, p50: 5000, p99: 5000, slowest: 5000 },
    ]);
  });
});
