import { useEnvironment } from './environment.tsx';
import { Icon, type IconName } from './icons.tsx';
import { pathOf, type Route } from './routes.ts';

const SECTIONS: readonly { page: 'projects' | 'keys' | 'orders' | 'audit'; title: string; icon: IconName }[] =
  [
    { page: 'projects', title: 'Projects', icon: 'folder' },
    { page: 'keys', title: 'API keys', icon: 'key' },
    { page: 'orders', title: 'Orders', icon: 'box' },
    { page: 'audit', title: 'Audit', icon: 'list' },
  ];

export function Navigation({ route }: { route: Route }) {
  const { stage } = useEnvironment();
  const section = ['project', 'domains', 'domain'].includes(route.page) ? 'projects' : route.page;
  return (
    <nav class="sections" aria-label="Sections">
      {SECTIONS.map(({ page, title, icon }) => (
        <a key={page} href={pathOf({ page, stage })} aria-current={page === section ? 'page' : undefined}>
          <Icon name={icon} />
          {title}
        </a>
      ))}
    </nav>
  );
}
