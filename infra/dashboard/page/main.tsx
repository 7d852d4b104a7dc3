import { type ComponentChildren, render } from 'preact';
import { useErrorBoundary, useLayoutEffect, useRef } from 'preact/hooks';
import type { EnvironmentView, ShownError } from '../server/protocol.ts';
import { openSession } from './api.ts';
import { AuditPage } from './audit-page.tsx';
import { DomainPage } from './domains/domain-page.tsx';
import { AllDomainsPage, DomainsPage } from './domains/domains-page.tsx';
import { EmptyState } from './elements.tsx';
import { type Environment, EnvironmentContext, useDetails } from './environment.ts';
import {
  AgeNote,
  Announcements,
  ContinueLink,
  EnvironmentBar,
  FailureNotes,
  InterruptionNote,
  Navigation,
  VersionNote,
  WarningNote,
} from './frame.tsx';
import { KeysPage } from './keys-page.tsx';
import { currentUrl, startLocation } from './location.ts';
import { useObservable } from './observable.ts';
import { OrdersPage } from './orders-page.tsx';
import { ProjectPage } from './projects/project-page.tsx';
import { ProjectsPage } from './projects/projects-page.tsx';
import { refreshWhenVisible } from './queries.ts';
import { pathOf, type Route, routeOf } from './routes.ts';

const root = document.querySelector<HTMLElement>('#page');
if (root) {
  startLocation();
  keepFocus(root);
  refreshWhenVisible();
  const opened = await openSession();
  render(
    opened.ok ? <App environments={opened.result.environments} /> : <SignedOut error={opened.error} />,
    root,
  );
}

/**
 * Browsers lose the focus with a removed element, such as a dialog or a menu. It then goes to an open dialog, to what had it
 * before the dialog, to the next action of the same row, or else to the page.
 */
function keepFocus(root: HTMLElement): void {
  let focused: Element | null = null;
  let opener: HTMLElement | null = null;
  let row: Element | null = null;
  root.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
    if (!(target instanceof HTMLElement) || target.closest('dialog')) return;
    opener = target;
    row = target.closest('tr');
  });
  new MutationObserver(() => {
    if (!focused || focused.isConnected) return;
    const places = [
      root.querySelector<HTMLElement>('dialog[open] [data-focus]'),
      opener,
      row?.querySelector<HTMLElement>('button, a') ?? null,
    ];
    focused = null;
    for (const place of [...places, root.querySelector('main')]) {
      place?.focus({ preventScroll: true });
      if (place && document.activeElement === place) return;
    }
  }).observe(root, { childList: true, subtree: true });
}

/** The whole page: the environment, the navigation, and what the URL names. */
function App({ environments }: { environments: readonly EnvironmentView[] }) {
  const path = useObservable(currentUrl).split('?')[0] ?? '';
  const route = routeOf(
    path,
    environments.map(({ stage }) => stage),
  );
  const details = useDetails(route.stage);
  const isLocal = environments.some(({ stage, isLocal }) => stage === route.stage && isLocal);
  const environment: Environment = { stage: route.stage, isLocal, details };
  const { title, page } = shownAt(route);

  const content = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Before the paint: production never appears in another environment's colors.
  useLayoutEffect(() => {
    // A screen reader continues at the new page, as after a page load.
    if (!isFirst.current) content.current?.focus({ preventScroll: true });
    isFirst.current = false;
    document.title = `${title} · ${route.stage} · Petstore`;
    document.documentElement.dataset.stage = route.stage;
  }, [path]);

  return (
    <EnvironmentContext.Provider value={environment}>
      <a class="skip" href="#content" target="_self">
        Skip to content
      </a>
      <EnvironmentBar environments={environments} route={route} />
      <div class="layout">
        <Navigation route={route} />
        <main id="content" ref={content} tabIndex={-1}>
          <AgeNote />
          <InterruptionNote />
          <VersionNote />
          <WarningNote />
          <FailureNotes />
          {/* The key makes a page start anew at every path: after a page that failed, and without what was typed for
              another environment. */}
          <PageBoundary key={path}>{page}</PageBoundary>
        </main>
      </div>
      <Announcements />
    </EnvironmentContext.Provider>
  );
}

function SignedOut({ error }: { error: ShownError }) {
  const title = error.code === 'session_ended' ? "This browser isn't signed in" : error.message;
  return (
    <main>
      <EmptyState isWholePage title={title}>
        <p>
          To sign in, open the latest link that <code>petstore dashboard</code> or <code>npm start</code>{' '}
          printed in the terminal.
        </p>
        <ContinueLink error={error} />
      </EmptyState>
    </main>
  );
}

function shownAt(route: Route): { title: string; page: ComponentChildren } {
  switch (route.page) {
    case 'projects':
      return { title: 'Projects', page: <ProjectsPage /> };
    case 'project':
      return { title: route.project, page: <ProjectPage id={route.project} /> };
    case 'domains':
      return { title: `Domains of ${route.project}`, page: <DomainsPage project={route.project} /> };
    case 'domain':
      return { title: route.domain, page: <DomainPage project={route.project} domain={route.domain} /> };
    case 'all-domains':
      return { title: 'Domains', page: <AllDomainsPage /> };
    case 'keys':
      return { title: 'API keys', page: <KeysPage /> };
    case 'orders':
      return { title: 'Orders', page: <OrdersPage /> };
    case 'audit':
      return { title: 'Audit', page: <AuditPage /> };
    case 'unknown':
      return {
        title: 'Not found',
        page: (
          <EmptyState isWholePage title="There is nothing at this URL">
            <p>
              <a href={pathOf({ page: 'projects', stage: route.stage })}>Go to projects</a>
            </p>
          </EmptyState>
        ),
      };
  }
}

/** Keeps the rest of the dashboard when a page fails: another version's environment may send what it can't show. */
function PageBoundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <EmptyState title="This page can't be shown" isWholePage>
      <p>
        The environment may run a different version from this dashboard. To compare them, run{' '}
        <code>petstore doctor</code>.
      </p>
      <p class="quiet">{String(error.message)}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Reload
      </button>
    </EmptyState>
  );
}
