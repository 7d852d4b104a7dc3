import { drawing, element, label, polyline } from '../svg.ts';
import type { Phase } from './faults/faults.ts';
import type { Kill } from './processes.ts';
import type { LatencySlot } from './report.ts';

/** What is drawn of a run. */
interface DrawnRun {
  readonly seed: number;
  readonly minutes: number;
  readonly latencies: readonly LatencySlot[];
  readonly phases: readonly Phase[];
  readonly kills: readonly Kill[];
}

const WIDTH = 860;
const HEIGHT = 420;
const LEFT = 64;
const RIGHT = WIDTH - 16;
const TOP = 78;
/** The lines of the latencies end here, and the bars of the failures begin below. */
const LINES_BOTTOM = 300;
const BARS_TOP = 322;
const BARS_BOTTOM = HEIGHT - 44;

const LEAST_MS = 1;
const MOST_MS = 100_000;

/** The latencies of a run over its time, with storms, outages and kills marked, and the share of requests that failed. */
export function latencyChart({ seed, minutes, latencies, phases, kills }: DrawnRun): string {
  const lengthMs = minutes * 60_000;
  const xOf = (ms: number) => LEFT + ((RIGHT - LEFT) * Math.min(ms, lengthMs)) / lengthMs;
  const yOf = (ms: number) => {
    const share = Math.log10(Math.max(ms, LEAST_MS) / LEAST_MS) / Math.log10(MOST_MS / LEAST_MS);
    return LINES_BOTTOM - (LINES_BOTTOM - TOP) * Math.min(1, share);
  };
  const during = latencies.filter(({ second }) => second * 1000 < lengthMs);
  /** A line through the seconds that have requests, with a gap where there were none: there were no responses then. */
  const lines = (value: (slot: LatencySlot) => number, className: string) =>
    withoutGaps(during).map(slots =>
      polyline(
        slots.map((slot): [number, number] => [xOf(slot.second * 1000), yOf(value(slot))]),
        className,
      ),
    );

  const bands = phases
    .filter(({ kind }) => kind === 'storm' || kind === 'outage')
    .map(({ kind, fromMs, toMs }) =>
      element('rect', {
        x: xOf(fromMs),
        y: TOP,
        width: xOf(toMs) - xOf(fromMs),
        height: BARS_BOTTOM - TOP,
        class: kind,
      }),
    );
  const killLines = kills
    .filter(({ atMs }) => atMs < lengthMs)
    .flatMap(({ of, atMs }) => [
      element('line', { x1: xOf(atMs), x2: xOf(atMs), y1: TOP, y2: BARS_BOTTOM, class: 'kill' }),
      label(of === 'service' ? '✕' : '⛁', xOf(atMs), TOP - 4, { anchor: 'middle' }),
    ]);
  const barWidth = Math.max(1, ((RIGHT - LEFT) * 1000) / lengthMs - 0.5);
  const failures = during
    .filter(({ failed }) => failed > 0)
    .map(({ second, failed, requests }) => {
      const height = ((BARS_BOTTOM - BARS_TOP) * failed) / requests;
      return element('rect', {
        x: xOf(second * 1000),
        y: BARS_BOTTOM - height,
        width: barWidth,
        height,
        class: 'failed',
      });
    });
  const decades = [1, 10, 100, 1000, 10_000, 100_000];
  const marks = Array.from({ length: 6 }, (_, index) => (index * lengthMs) / 5);

  return drawing(
    WIDTH,
    HEIGHT,
    `Latency of requests over time under faults, soak of ${minutes} min, seed ${seed}.`,
    [
      label('Latency over time under faults and kills', 16, 26, { kind: 'title' }),
      label(`npm run soak -- --minutes ${minutes} --seed ${seed}`, RIGHT, 26, { anchor: 'end' }),
      ...legend(),
      ...bands,
      ...decades.flatMap(ms => [
        element('line', { x1: LEFT, x2: RIGHT, y1: yOf(ms), y2: yOf(ms), class: 'grid' }),
        label(ms < 1000 ? `${ms} ms` : `${ms / 1000} s`, LEFT - 8, yOf(ms) + 4, { anchor: 'end' }),
      ]),
      ...killLines,
      ...lines(({ p99 }) => p99, 'b'),
      ...lines(({ p50 }) => p50, 'a'),
      ...failures,
      label('failed', LEFT - 8, (BARS_TOP + BARS_BOTTOM) / 2 + 4, { anchor: 'end' }),
      element('line', { x1: LEFT, x2: RIGHT, y1: BARS_BOTTOM, y2: BARS_BOTTOM, class: 'axis' }),
      ...marks.map(ms =>
        label(`${(ms / 60_000).toFixed(1)} min`, xOf(ms), BARS_BOTTOM + 18, {
          anchor: ms === lengthMs ? 'end' : 'middle',
        }),
      ),
      label(
        'time since the start; failed: the share of requests that got 429, 5xx or no response',
        LEFT,
        HEIGHT - 8,
      ),
    ],
  );
}

function legend(): string[] {
  const entry = (x: number, mark: string, text: string) => [mark, label(text, x + 26, 56)];
  const stroke = (x: number, name: string) =>
    element('line', { x1: x, x2: x + 20, y1: 52, y2: 52, class: name });
  const patch = (x: number, name: string) =>
    element('rect', { x, y: 44, width: 20, height: 14, class: name });
  return [
    ...entry(LEFT, stroke(LEFT, 'a'), 'median'),
    ...entry(LEFT + 90, stroke(LEFT + 90, 'b'), '99th percentile'),
    ...entry(LEFT + 230, patch(LEFT + 230, 'storm'), 'storm of faults'),
    ...entry(LEFT + 370, patch(LEFT + 370, 'outage'), 'outage of AWS'),
    ...entry(LEFT + 500, stroke(LEFT + 500, 'kill'), 'SIGKILL: ✕ service, ⛁ engine'),
  ];
}

/** Slots that follow each other within two seconds. */
function withoutGaps(slots: readonly LatencySlot[]): LatencySlot[][] {
  const parts: LatencySlot[][] = [];
  for (const slot of slots) {
    const last = parts.at(-1)?.at(-1);
    if (last && slot.second - last.second <= 2) parts.at(-1)?.push(slot);
    else parts.push([slot]);
  }
  return parts;
}
