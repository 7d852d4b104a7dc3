import { shortName } from '../../../shared/audit/author.ts';
import { since } from '../../operator/readable-times.ts';
import type { EnvironmentView, ShownError } from '../server/protocol.ts';
import { Icon, Lines, Note } from './elements.tsx';
import { useEnvironment } from './environment.ts';
import { Help } from './help.tsx';
import { SLOW_INTERVAL_MS } from './live-query.ts';
import { announcement, failures, type Interruption, interruption, versionNote, warnings } from './notices.ts';
import { useNow, useObservable } from './observable.ts';
import { Shortcuts } from './palette.tsx';
import { useAge, useList } from './queries.ts';
import { inStage, pageAt, pathOf, type Route, SECTIONS } from './routes.ts';

export function EnvironmentBar({
  environments,
  route,
}: {
  environments: readonly EnvironmentView[];
  route: Route;
}) {
  const { stage, isLocal, details } = useEnvironment();
  return (
    <header class="bar">
      <div class="bar-row">
        <a class="brand" href={pathOf({ page: 'projects', stage })}>
          <img src="/assets/icon.svg" alt="" width="24" height="24" />
          <span>Petstore</span>
        </a>
        {environments.length > 1 ? (
          <nav class="stages" aria-label="Environment">
            {environments.map(each => (
              <a
                key={each.stage}
                href={pathOf(inStage(route, each.stage))}
                aria-current={each.stage === stage ? 'true' : undefined}
              >
                {each.stage}
              </a>
            ))}
          </nav>
        ) : (
          <span class="stage">{stage}</span>
        )}
        <Shortcuts />
        <Help />
        <dl class="whereabouts">
          <div>
            <dt>Account</dt>
            <dd>{isLocal ? 'Local' : (details?.account ?? '…')}</dd>
          </div>
          <div>
            <dt>Region</dt>
            <dd>{details?.region ?? '…'}</dd>
          </div>
          <div class="operator">
            <dt>You are</dt>
            <dd title={details?.by ?? undefined}>{shortName(details?.by ?? '…')}</dd>
          </div>
        </dl>
      </div>
      {stage === 'production' && (
        <p class="warning">
          <span>Production: customers see your changes.</span>
        </p>
      )}
    </header>
  );
}

export function Navigation({ route }: { route: Route }) {
  const { stage } = useEnvironment();
  const section = ['project', 'domains', 'domain'].includes(route.page) ? 'projects' : route.page;
  const { value } = useList('domains', { filter: 'attention' }, SLOW_INTERVAL_MS);
  return (
    <nav class="sections" aria-label="Sections">
      {SECTIONS.map(({ page, title, icon }) => (
        <a key={page} href={pathOf({ page, stage })} aria-current={page === section ? 'page' : undefined}>
          <Icon name={icon} />
          {title}
          {page === 'all-domains' && value && value.matching > 0 && (
            <span class="count">
              {value.matching}
              <span class="visually-hidden"> {value.matching === 1 ? 'needs' : 'need'} attention</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

const INTERRUPTIONS: Readonly<Record<Interruption['kind'], { title: string; remedy: string }>> = {
  session: {
    title: 'This session has ended',
    remedy:
      'Open the latest link that petstore dashboard or npm start printed. You can then continue from this page.',
  },
  server: {
    title: 'The dashboard was stopped',
    remedy:
      'Start it again with petstore dashboard or npm start, and open the link it prints. On the same port, you can then continue from this page.',
  },
  credentials: {
    title: "AWS doesn't accept the credentials",
    remedy: 'Renew them in the terminal. This page continues as soon as they work.',
  },
};

/** Says why an open page shows nothing new. */
export function InterruptionNote() {
  const current = useObservable(interruption);
  if (!current) return null;
  const { title, remedy } = INTERRUPTIONS[current.kind];
  return (
    <Note tone="bad">
      <p>
        <strong>{title}.</strong> What you see may be out of date.
      </p>
      <p>{current.error.message}</p>
      <Lines lines={current.error.advice} />
      <p>{remedy}</p>
      <ContinueLink error={current.error} />
    </Note>
  );
}

/** Leads to the same page at the newest link's host, once that link was opened. Until then, what was typed stays. */
export function ContinueLink({ error }: { error: ShownError }) {
  const url = pageAt(error.newestOrigin, location.href);
  return url === undefined ? null : (
    <p>
      <a href={url}>Continue where you were</a>
    </p>
  );
}

/** The age of the page's oldest part, once that's more than some seconds, and what is going on. It takes no space. */
export function AgeNote() {
  const age = useAge();
  const nowMs = useNow();
  if (!age) return null;
  const { asOfMs, isReading, hasFailed } = age;
  return (
    <p class="age">
      <span>
        Updated {since(asOfMs, nowMs)}
        {hasFailed ? ' · trying again …' : isReading && ' · updating …'}
      </span>
    </p>
  );
}

/** A change's warnings. They stay until dismissed, because the change's dialog is closed by then. */
export function WarningNote() {
  const current = useObservable(warnings);
  const { stage } = useEnvironment();
  if (current?.stage !== stage) return null;
  return (
    <Note tone="attention" action={['Dismiss', () => warnings.set(undefined)]}>
      <Lines lines={current.sentences} />
    </Note>
  );
}

/** Changes that failed without a dialog, or after it was closed. */
export function FailureNotes() {
  const all = useObservable(failures);
  return all.map(failure => {
    const { stage, what, error } = failure;
    const dismiss = () => failures.set(all.filter(other => other !== failure));
    return (
      <Note key={what} tone="bad" action={['Dismiss', dismiss]}>
        <p>
          <strong>
            <span class="mono">{what}</span> in {stage} {error.isOpen ? 'may have failed' : 'failed'}.
          </strong>{' '}
          {error.message}
        </p>
        <Lines lines={error.advice} />
      </Note>
    );
  });
}

/** Says that this page may be newer or older than the environment. */
export function VersionNote() {
  const current = useObservable(versionNote);
  const { stage } = useEnvironment();
  if (current?.stage !== stage) return null;
  return (
    <Note tone="attention" role="status">
      <p>{current.text}</p>
    </Note>
  );
}

/** Where announcements are shown, and read out by screen readers. */
export function Announcements() {
  const shown = useObservable(announcement);
  return (
    <div class="announcements" role="status" aria-live="polite">
      {shown && <p key={shown.number}>{shown.text}</p>}
    </div>
  );
}
