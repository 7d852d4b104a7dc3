import { readableTime } from '../../../../shared/domains/clock.ts';
import type { DomainSummary, Project } from '../../../../shared/operator/contract.ts';
import { nextLoss } from '../../../operator/domains/domain-report.ts';
import {
  AddButton,
  Breakable,
  countdown,
  EmptyState,
  ErrorNote,
  Icon,
  Loading,
  PageHead,
} from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { List } from '../list.tsx';
import { SLOW_INTERVAL_MS } from '../live-query.ts';
import { useNewInUrl } from '../location.ts';
import { useNow } from '../observable.ts';
import { ProjectHead } from '../projects/project-page.tsx';
import { refreshAll, useLive } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { AddDomain } from './add-domain.tsx';
import { DomainMenu } from './domain-menu.tsx';
import { DomainRole, DomainState, NextCheck } from './domain-summary.tsx';
import { domainState, reasonWords, statusView } from './domain-view.ts';

export function DomainsPage({ project: id }: { project: string }) {
  const { value: project, error } = useLive('projects.show', { id }, SLOW_INTERVAL_MS);
  const [isAdding, setAdding] = useNewInUrl();
  return (
    <>
      <ProjectHead id={id} project={project} current="domains" />
      <ErrorNote error={error} onRetry={refreshAll} />
      {!project && !error && <Loading what="the project" />}
      {project && (
        <>
          <div class="section-head">
            <h2>Domains</h2>
            <AddButton title="Add domain" onClick={() => setAdding(true)} />
          </div>
          <DomainList project={id} empty={<FirstSteps project={project} />} />
        </>
      )}
      {project && isAdding && <AddDomain project={project} onClose={() => setAdding(false)} />}
    </>
  );
}

export function AllDomainsPage() {
  const { stage } = useEnvironment();
  return (
    <>
      <PageHead title="Domains" about={`The custom domains of all projects in ${stage}.`} />
      <DomainList
        empty={
          <EmptyState title="No custom domains yet">
            <p>
              To add one, <a href={pathOf({ page: 'projects', stage })}>choose a project</a>.
            </p>
          </EmptyState>
        }
      />
    </>
  );
}

function DomainList({ project, empty }: { project?: string; empty: preact.ComponentChildren }) {
  const hasProject = project === undefined;
  return (
    <List
      list="domains"
      {...(project !== undefined && { project })}
      what="domains"
      placeholder="Search domains"
      filters={{
        attention: 'Need attention',
        live: 'Live',
        'setting-up': 'Being set up',
        failed: 'Failed',
        removing: 'Being removed',
      }}
      sorts={{ attention: 'Urgency', role: 'Role', name: 'Name', 'next-check': 'Next check' }}
      titles={['Domain', ...(hasProject ? ['Project'] : []), 'Status', 'Role', 'Next check']}
      actions="Menu"
      row={domain => (
        <DomainRow key={`${domain.domain} ${domain.project}`} domain={domain} hasProject={hasProject} />
      )}
      empty={empty}
    />
  );
}

function DomainRow({ domain: summary, hasProject }: { domain: DomainSummary; hasProject: boolean }) {
  const { stage } = useEnvironment();
  const { domain, unicode, project } = summary;
  const reason = reasonWords(summary);
  const why = reason === domainState(summary).words ? undefined : reason;
  const loss = nextLoss(summary);
  const now = useNow();
  return (
    <tr>
      <th scope="row" class="name">
        <a href={pathOf({ page: 'domain', stage, project, domain })}>
          <Breakable text={unicode} />
        </a>
      </th>
      {hasProject && (
        <td data-title="Project">
          <a href={pathOf({ page: 'domains', stage, project })}>{project}</a>
        </td>
      )}
      <td data-title="Status">
        <DomainState report={summary} />
        {why && <small class="break">{why}</small>}
        {loss && (
          <small title={readableTime(loss.at)}>
            {loss.words} {countdown(loss.at, now)}
          </small>
        )}
      </td>
      <td data-title="Role">
        <DomainRole report={summary} />
      </td>
      <td data-title="Next check">
        <NextCheck report={summary} />
      </td>
      <td class="actions">
        {statusView(summary).isServed && <Visit domain={domain} isSmall />}
        <DomainMenu report={summary} />
      </td>
    </tr>
  );
}

/** A link to a live domain. On one machine browsers can't open it: they use public DNS. */
export function Visit({ domain, isSmall = false }: { domain: string; isSmall?: boolean }) {
  const { isLocal } = useEnvironment();
  if (isLocal) return null;
  return (
    <a
      class={isSmall ? 'icon-button' : 'button'}
      href={`https://${domain}`}
      target="_blank"
      rel="noreferrer noopener"
      {...(isSmall && { 'aria-label': `Visit ${domain}`, title: `Visit ${domain}` })}
    >
      {!isSmall && 'Visit '}
      <Icon name="out" />
    </a>
  );
}

function FirstSteps({ project: { plan, deploy } }: { project: Project }) {
  return (
    <EmptyState title="Publish this project on your own domain">
      <ol class="steps">
        <li>
          Choose <strong>Add domain</strong> and enter a domain or subdomain, such as{' '}
          <span class="mono">www.example.com</span>.
        </li>
        <li>Create the DNS records it shows at your DNS provider.</li>
        <li>
          Choose <strong>Verify</strong>. The certificate is issued automatically, and the domain goes live.
        </li>
      </ol>
      {(plan === 'free' || deploy.succeededAt === null) && (
        <p>
          The project {plan === 'free' ? 'is on the free plan' : 'has no successful deploy yet'}:{' '}
          <strong>Add domain</strong> lets you change that.
        </p>
      )}
    </EmptyState>
  );
}
