import { render } from 'preact';
import type { EnvironmentView } from '../server/environment-view.ts';
import { App } from './app.tsx';
import { startRefreshingWhenVisible } from './live-store.ts';
import { startLocation } from './location.ts';

const root = document.querySelector<HTMLElement>('#page');
if (root) {
  const environments: EnvironmentView[] = JSON.parse(root.dataset.environments ?? '[]');
  startLocation();
  startRefreshingWhenVisible();
  render(<App environments={environments} />, root);
}
