import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { Icon, type IconName, localTime, since } from '../elements.tsx';
import { useNow } from '../observable.ts';
import { isMoving, type TimelineStep, timelineOf } from './domain-view.ts';

const ICONS: Readonly<Record<TimelineStep['state'], IconName>> = {
  done: 'check',
  current: 'clock',
  waiting: 'exclamation',
  blocked: 'cross',
  todo: 'dot',
};

const WORDS: Readonly<Record<TimelineStep['state'], string>> = {
  done: 'done',
  current: 'under way',
  waiting: 'waits for you',
  blocked: 'failed',
  todo: 'to come',
};

/** From added to live. It moves by itself while one watches. */
export function Timeline({ report }: { report: DomainReport }) {
  const now = useNow();
  const steps = timelineOf(report);
  if (steps.length === 0) return null;
  return (
    <ol class="timeline" aria-label="From added to live" data-moving={isMoving(report)}>
      {steps.map(({ title, state, at }) => (
        <li
          key={title}
          class={`timeline-${state}`}
          aria-current={state === 'current' || state === 'waiting' ? 'step' : undefined}
        >
          <span class="timeline-sign">
            <Icon name={ICONS[state]} />
          </span>
          <span class="timeline-title">{title}</span>
          <span class="quiet">
            {at ? (
              <time dateTime={at} title={localTime(at)}>
                {since(at, now)}
              </time>
            ) : (
              WORDS[state]
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
