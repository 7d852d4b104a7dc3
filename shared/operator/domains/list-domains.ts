import type { OperatorParts } from '../../domains/composition.ts';
import { type DomainReport, report } from '../../domains/report.ts';
import { type CommandOf, pageOf } from '../command.ts';
import type { DomainSummary } from '../contract.ts';
import { projectLookup } from '../lookup.ts';

export function listDomains({ projects, domains, clock }: OperatorParts): CommandOf<'domains.list'> {
  const requireProject = projectLookup(projects);

  return {
    async run({ project: id, ...page }) {
      const project = await requireProject(id);
      const { domains: listed, next } = await domains.pageOf(project.id, page);
      const looked = await domains.withLooks(listed);
      return { domains: looked.map(domain => report(domain, project, clock)), next };
    },
  };
}

export function summarizeDomains({ projects, domains, clock }: OperatorParts): CommandOf<'domains.summary'> {
  return {
    async run(page) {
      const [listed, all] = await Promise.all([projects.list(), domains.all()]);
      const projectsById = new Map(listed.map(project => [project.id, project]));
      const summaries = all.flatMap(domain => {
        const project = projectsById.get(domain.project);
        return project ? summaryOf(report(domain, project, clock)) : [];
      });
      // Several projects may claim a name.
      const keyOf = ({ domain, project }: DomainSummary) => `${domain} ${project}`;
      const { entries, next } = pageOf(summaries, keyOf, page);
      return { domains: entries, next };
    },
  };
}

export function summaryOf(report: DomainReport): DomainSummary {
  const { project, domain, unicode, status, reason, role, primary, redirect, switchLater } = report;
  return {
    project,
    domain,
    unicode,
    status,
    reason,
    role,
    primary,
    redirect,
    switchLater,
    checkedAt: report.checkedAt,
    nextCheckAt: report.nextCheckAt,
    dueAt: report.dueAt,
    certificate: { status: report.certificate.status, expiresAt: report.certificate.expiresAt },
    records: report.records.map(({ purpose, state, action, todo }) => ({ purpose, state, action, todo })),
    title: report.troubles[0]?.title,
    deadlines: report.deadlines,
  };
}
