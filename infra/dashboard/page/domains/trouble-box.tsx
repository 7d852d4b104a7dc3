import type { ComponentChildren } from 'preact';
import { readableTime } from '../../../../shared/domains/clock.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { CopyButton, countdown, Icon, localTime, TONE_ICONS } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { useNow } from '../observable.ts';
import { MeetRequirement } from '../projects/requirement.tsx';
import type { Remedy, ShownTrouble, Tone } from './domain-view.ts';
import { MoveHere } from './move-here.tsx';

interface TroubleBoxProps {
  readonly report: DomainReport;
  readonly troubles: readonly ShownTrouble[];
  readonly tone: Tone;
  /** What is to be done where nothing is wrong. */
  readonly children?: ComponentChildren;
  /** Buttons for all of it. */
  readonly actions: ComponentChildren;
}

/** What is wrong with a domain and what to do, each in a sentence, with a button where the page can do it. */
export function TroubleBox({ report, troubles, tone, children, actions }: TroubleBoxProps) {
  const [first, ...others] = troubles;
  // Beside the others, where it's for the only trouble.
  const remedy = others.length === 0 ? first?.remedy : undefined;
  return (
    <div class={`troubles troubles-${tone}`}>
      {/* Screen readers read it out when it changes. */}
      <div role="status">
        {troubles.map(({ title, text, deadline, remedy: own }) => (
          <section key={title}>
            <h2>
              <Icon name={TONE_ICONS[tone]} /> {title}
            </h2>
            {deadline && <Countdown {...deadline} />}
            <p class="break">{text}</p>
            {own && own !== remedy && <RemedyButton report={report} remedy={own} />}
          </section>
        ))}
        {children}
      </div>
      {(actions || remedy) && (
        <div class="row">
          {actions}
          {remedy && <RemedyButton report={report} remedy={remedy} />}
        </div>
      )}
    </div>
  );
}

function RemedyButton({ report, remedy }: { report: DomainReport; remedy: Remedy }) {
  switch (remedy.kind) {
    case 'copy':
      return <CopyButton {...remedy} isLarge />;
    case 'quota':
      return <QuotaLink quota={remedy.quota} />;
    case 'project':
      return <MeetRequirement id={report.project} />;
    case 'move':
      return <MoveHere report={report} />;
    default:
      return remedy satisfies never;
  }
}

/** Screen readers don't read it out every minute. */
function Countdown({ words, at }: { words: string; at: string }) {
  const now = useNow();
  return (
    <p aria-live="off">
      {words}{' '}
      <time dateTime={at} title={localTime(at)}>
        {readableTime(at)}
      </time>
      , <strong class="countdown">{countdown(at, now)}</strong>.
    </p>
  );
}

function QuotaLink({ quota }: { quota: string }) {
  const { details } = useEnvironment();
  const region = details?.region ?? 'us-east-1';
  return (
    <a
      class="button primary"
      href={`https://${region}.console.aws.amazon.com/servicequotas/home/services/apigateway/quotas/${quota}`}
      target="_blank"
      rel="noreferrer noopener"
    >
      Raise the quota in the AWS console <Icon name="out" />
    </a>
  );
}
