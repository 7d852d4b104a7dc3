import { countdown, Icon, localMoment, TONE_ICONS } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { useNow } from '../observable.ts';
import type { ShownTrouble, Tone } from './domain-view.ts';

/** What is wrong with a domain and what to do, each in a sentence. */
export function TroubleBox({ troubles, tone }: { troubles: readonly ShownTrouble[]; tone: Tone }) {
  return (
    <div class={`troubles troubles-${tone}`}>
      {troubles.map(({ title, text, deadline, quota }) => (
        <section key={title}>
          <h2>
            <Icon name={TONE_ICONS[tone]} /> {title}
          </h2>
          {deadline && <Countdown {...deadline} />}
          <p class="break">{text}</p>
          {quota && <QuotaLink quota={quota} />}
        </section>
      ))}
    </div>
  );
}

/** Screen readers don't read it out every minute. */
function Countdown({ words, at }: { words: string; at: string }) {
  const now = useNow();
  return (
    <p aria-live="off">
      {words} <time dateTime={at}>{localMoment(at)}</time>,{' '}
      <strong class="countdown">{countdown(at, now)}</strong>.
    </p>
  );
}

function QuotaLink({ quota }: { quota: string }) {
  const { details } = useEnvironment();
  const region = details?.region ?? 'us-east-1';
  return (
    <p>
      <a
        href={`https://${region}.console.aws.amazon.com/servicequotas/home/services/apigateway/quotas/${quota}`}
        target="_blank"
        rel="noreferrer noopener"
      >
        Open the quota in the AWS console
      </a>
    </p>
  );
}
