import { useState } from 'preact/hooks';
import type { DomainReport, Project } from '../../../../shared/operator/contract.ts';
import { FormDialog } from '../dialog.tsx';
import { EmptyState, ErrorNote, Icon, Loading } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { ProjectHead } from '../projects/project-page.tsx';
import { useChange, useLive } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { DomainMenu } from './domain-menu.tsx';
import { CheckTimes, DomainRole, DomainState } from './domain-summary.tsx';
import { statusView } from './domain-view.ts';

/** Project settings → Domains. */
export function DomainsPage({ project: id }: { project: string }) {
  const { value: project, error: projectError } = useLive('projects.show', { id });
  const { value, error } = useLive('domains.list', { project: id });
  const [isAdding, setAdding] = useState(false);
  const domains = value?.domains;
  return (
    <>
      <ProjectHead id={id} project={project} current="domains" />
      <ErrorNote error={projectError ?? error} />
      {!domains && !error && !projectError && <Loading what="domains" />}
      {domains && project && (
        <>
          <div class="section-head">
            <h2>Domains</h2>
            <button type="button" class="button primary" onClick={() => setAdding(true)}>
              <Icon name="plus" /> Add domain
            </button>
          </div>
          {domains.length === 0 ? (
            <FirstSteps project={project} />
          ) : (
            <ul class="cards">
              {domains.toSorted(inOrder).map(report => (
                <DomainCard key={report.domain} report={report} all={domains} />
              ))}
            </ul>
          )}
        </>
      )}
      {isAdding && <AddDomain project={id} onClose={() => setAdding(false)} />}
    </>
  );
}

/** The primary domain first, then the live ones, then by name. */
function inOrder(left: DomainReport, right: DomainReport): number {
  const rank = (report: DomainReport) =>
    report.role === 'primary' ? 0 : statusView(report).isServed ? 1 : 2;
  return rank(left) - rank(right) || left.domain.localeCompare(right.domain);
}

function DomainCard({ report, all }: { report: DomainReport; all: readonly DomainReport[] }) {
  const { stage } = useEnvironment();
  const { domain, unicode, project, next } = report;
  return (
    <li class="card domain">
      <div class="card-head">
        <h3>
          <a href={pathOf({ page: 'domain', stage, project, domain })}>{unicode}</a>
        </h3>
        <DomainMenu report={report} all={all} />
      </div>
      <p class="row">
        <DomainState report={report} />
        <DomainRole report={report} />
      </p>
      {!statusView(report).isServed && next[0] && <p class="next break">{next[0]}</p>}
      <CheckTimes report={report} />
    </li>
  );
}

function FirstSteps({ project: { id, plan, deploy } }: { project: Project }) {
  const { stage } = useEnvironment();
  const settings = pathOf({ page: 'project', stage, project: id });
  return (
    <EmptyState title="Publish this project under a domain of your own">
      <ol class="steps">
        <li>
          Choose <strong>Add domain</strong> and enter a domain or subdomain, such as{' '}
          <span class="mono">www.example.com</span>.
        </li>
        <li>Create the DNS records that are shown, at the provider of the domain.</li>
        <li>
          Choose <strong>Verify</strong>. The certificate is issued by itself, and the domain is live.
        </li>
      </ol>
      {plan === 'free' && (
        <p>
          First <a href={settings}>change the plan</a>: custom domains need pro or above.
        </p>
      )}
      {deploy.succeededAt === null && (
        <p>
          First <a href={settings}>deploy the project</a>: it has no successful deploy yet.
        </p>
      )}
    </EmptyState>
  );
}

function AddDomain({ project, onClose }: { project: string; onClose: () => void }) {
  const { stage } = useEnvironment();
  const change = useChange('domains.add');
  const [domain, setDomain] = useState('');
  const add = async () => {
    const report = await change.send({ project, domain: domain.trim() });
    if (!report) return;
    announce(`Added ${report.domain}. Now create its DNS records.`);
    onClose();
    navigate(pathOf({ page: 'domain', stage, project, domain: report.domain }));
  };
  return (
    <FormDialog title="Add domain" action="Add domain" change={change} onClose={onClose} onSubmit={add}>
      <label class="field">
        Domain or subdomain
        <input
          required
          value={domain}
          onInput={event => setDomain(event.currentTarget.value)}
          placeholder="www.example.com"
          inputMode="url"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <small>
          One that you can change the DNS of. For both example.com and www.example.com add both, and redirect
          one to the other.
        </small>
      </label>
    </FormDialog>
  );
}
