import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { CopyButton } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { pathOf, type Route } from '../routes.ts';

/** The head of the settings of a project: where one is, its address, and the pages of the settings. */
export function ProjectHead({
  id,
  project,
  current,
}: {
  id: string;
  project: ProjectView | undefined;
  current: 'project' | 'domains';
}) {
  const { stage } = useEnvironment();
  const tabs: readonly { title: string; route: Route }[] = [
    { title: 'Domains', route: { page: 'domains', stage, project: id } },
    { title: 'Plan and deploys', route: { page: 'project', stage, project: id } },
  ];
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={pathOf({ page: 'projects', stage })}>Projects</a>
        <span aria-hidden="true">/</span>
        <span>{id}</span>
        <span aria-hidden="true">/</span>
        <span>Project settings</span>
      </nav>
      <div class="page-head">
        <div>
          <h1>{id}</h1>
          <p class="quiet address">
            {project ? (
              <>
                <span class="mono">{project.address}</span>
                <CopyButton text={project.address} what="the address" />
              </>
            ) : (
              'Project settings'
            )}
          </p>
        </div>
        {project && <span class="chip">{project.plan}</span>}
      </div>
      <nav class="tabs" aria-label="Project settings">
        {tabs.map(({ title, route }) => (
          <a key={title} href={pathOf(route)} aria-current={route.page === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
    </>
  );
}
