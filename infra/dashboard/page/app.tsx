import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EnvironmentView } from '../server/environment-view.ts';
import { Announcements } from './announcements.tsx';
import { AuditPage } from './audit/audit-page.tsx';
import { DomainPage } from './domains/domain-page.tsx';
import { DomainsPage } from './domains/domains-page.tsx';
import { EmptyState } from './elements.tsx';
import { type Environment, EnvironmentContext, useDetails } from './environment.tsx';
import { EnvironmentBar } from './environment-bar.tsx';
import { useObservable } from './hooks.ts';
import { InterruptionNote } from './interruption-note.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { address } from './location.ts';
import { Navigation } from './navigation.tsx';
import { OrdersPage } from './orders/orders-page.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { ProjectPage } from './projects/project-page.tsx';
import { ProjectsPage } from './projects/projects-page.tsx';
import { pathOf, type Route, routeOf } from './routes.ts';
import { WarningNote } from './warning-note.tsx';

/** The whole page: the environment, the navigation, and what the address names. */
export function App({ environments }: { environments: readonly EnvironmentView[] }) {
  const path = useObservable(address).split('?')[0] ?? '';
  const route = routeOf(
    path,
    environments.map(({ stage }) => stage),
  );
  const details = useDetails(route.stage);
  const isLocal = environments.some(({ stage, isLocal }) => stage === route.stage && isLocal);
  const environment: Environment = { stage: route.stage, isLocal, details };

  const content = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Before the paint: production never appears in the colours of another environment.
  useLayoutEffect(() => {
    // A screen reader goes on at the new page, as it does when a page is loaded.
    if (!isFirst.current) content.current?.focus({ preventScroll: true });
    isFirst.current = false;
    document.title = `${titleOf(route)} · ${route.stage} · Petstore`;
    document.documentElement.dataset.stage = route.stage;
  }, [path]);

  return (
    <EnvironmentContext.Provider value={environment}>
      <a class="skip" href="#content" target="_self">
        Skip to the content
      </a>
      <EnvironmentBar environments={environments} route={route} />
      <div class="layout">
        <Navigation route={route} />
        <main id="content" ref={content} tabIndex={-1}>
          <InterruptionNote />
          <WarningNote />
          {/* The keys: a page that fails does not keep the next one from being shown, and nothing that was typed for one
              environment is sent to another. */}
          <PageBoundary key={path}>
            <Page key={route.stage} route={route} />
          </PageBoundary>
        </main>
      </div>
      <Announcements />
    </EnvironmentContext.Provider>
  );
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'projects':
      return <ProjectsPage />;
    case 'project':
      return <ProjectPage key={route.project} id={route.project} />;
    case 'domains':
      return <DomainsPage key={route.project} project={route.project} />;
    case 'domain':
      return (
        <DomainPage key={`${route.project} ${route.domain}`} project={route.project} domain={route.domain} />
      );
    case 'keys':
      return <KeysPage />;
    case 'orders':
      return <OrdersPage />;
    case 'audit':
      return <AuditPage />;
    case 'unknown':
      return (
        <EmptyState isWholePage title="There is nothing at this address">
          <p>
            <a href={pathOf({ page: 'projects', stage: route.stage })}>Go to the projects</a>
          </p>
        </EmptyState>
      );
  }
}

function titleOf(route: Route): string {
  switch (route.page) {
    case 'projects':
      return 'Projects';
    case 'project':
      return route.project;
    case 'domains':
      return `Domains of ${route.project}`;
    case 'domain':
      return route.domain;
    case 'keys':
      return 'API keys';
    case 'orders':
      return 'Orders';
    case 'audit':
      return 'Audit';
    case 'unknown':
      return 'Not found';
  }
}
