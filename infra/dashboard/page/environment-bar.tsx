import type { EnvironmentView } from '../server/environment-view.ts';
import { useEnvironment } from './environment.tsx';
import { operatorName } from './operator-name.ts';
import { inStage, pathOf, type Route } from './routes.ts';

/** Which environment one is looking at, always in sight. */
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
      <a class="brand" href={pathOf({ page: 'projects', stage })}>
        <img src="/assets/icon.svg" alt="" width="24" height="24" />
        Petstore
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
      <dl class="whereabouts">
        <div>
          <dt>Account</dt>
          <dd>{isLocal ? 'this machine' : (details?.account ?? '…')}</dd>
        </div>
        <div>
          <dt>Region</dt>
          <dd>{details?.region ?? '…'}</dd>
        </div>
        <div class="operator">
          <dt>You are</dt>
          <dd title={details?.by ?? undefined}>{operatorName(details?.by ?? '…')}</dd>
        </div>
      </dl>
      {stage === 'production' && <p class="warning">Production: what you change here, customers see.</p>}
    </header>
  );
}
