import type { Project, ProjectView } from '../../../shared/operator/contract.ts';
import { exactTime, relativeTime } from '../../operator/readable-times.ts';
import type { Style } from '../framework/style.ts';
import { type Column, factLines, table } from '../framework/table.ts';

export function projectTable(projects: readonly ProjectView[], style: Style, nowMs: number): string {
  const columns: Column<ProjectView>[] = [
    { title: 'ID', value: project => project.id, paint: style.bold },
    ...(projects.some(({ name }) => name)
      ? [{ title: 'NAME', value: ({ name }: ProjectView) => name ?? '', canShrink: true }]
      : []),
    { title: 'PLAN', value: project => project.plan },
    {
      title: 'LAST DEPLOY',
      value: project => deployText(project, nowMs),
      paint: (text, project) => paintDeploy(project, style)(text),
    },
    { title: 'PUBLISHED AT', value: apiStageText },
    { title: 'URL', value: ({ url }) => url, canShrink: true },
  ];
  const byId = projects.toSorted((left, right) => left.id.localeCompare(right.id));
  return table(byId, columns, style);
}

export function projectText(project: ProjectView, style: Style, nowMs: number): string {
  const { id, name, plan, createdAt, url, defaultUrl, endpointUrl, primary, redirects, liveDomains } =
    project;
  const facts = [
    ['Project', id],
    ['Name', name],
    ['Plan', plan],
    ['Last deploy', deployText(project, nowMs)],
    ['URL', url],
    ['Default URL', `${defaultUrl}${defaultUrlText(project)}`],
    ['API endpoint', endpointUrl === defaultUrl ? null : `${endpointUrl}${endpointText(project)}`],
    ['Published at', apiStageText(project)],
    ['Created', exactTime(createdAt)],
    ['Primary domain', primary ?? 'none yet'],
    ['Live domains', liveDomains.join(', ')],
    ...redirects.map(({ from, to, status }) => ['Redirect', `${from} to ${to} (${status})`] as const),
  ] as const;
  return factLines(facts, style).join('\n');
}

/** What the default URL does and why, in parentheses. */
function defaultUrlText({ defaultUrlState: state, defaultUrlReason: reason }: ProjectView): string {
  if (state === 'serving' && reason === null) return '';
  const does = {
    pending: 'pending',
    serving: 'serves the project',
    redirecting: 'redirects to the primary domain',
    closed: 'closed: responds with 403',
  }[state];
  return ` (${does}${reason === null ? '' : `: ${reason}`})`;
}

function endpointText({ defaultEndpoint, openBecause }: ProjectView): string {
  if (defaultEndpoint === 'closed') return ' (closed: responds with 403)';
  return openBecause ? ` (open: ${openBecause})` : '';
}

function deployText({ deploy: { state, at } }: Project, nowMs: number): string {
  return at ? `${state} ${relativeTime(at, nowMs)}` : state;
}

function paintDeploy({ deploy: { state } }: Project, style: Style): (text: string) => string {
  if (state === 'succeeded') return style.green;
  return state === 'failed' ? style.red : style.yellow;
}

function apiStageText({ apiId, stage }: Project): string {
  return `${apiId}/${stage}`;
}
