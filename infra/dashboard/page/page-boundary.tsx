import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { EmptyState } from './elements.tsx';

/** Keeps the rest of the dashboard when a page fails: an environment of another version may answer what it cannot show. */
export function PageBoundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <EmptyState title="This page cannot be shown" isWholePage>
      <p>
        The environment may have been deployed from another version than this dashboard:{' '}
        <code>petstore doctor</code> compares the two.
      </p>
      <p class="quiet">{String(error.message)}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Reload
      </button>
    </EmptyState>
  );
}
