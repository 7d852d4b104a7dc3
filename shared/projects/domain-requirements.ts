import type { Project } from './project.ts';
import { PlanRequired } from './project-store.ts';

/** What a project lacks for custom domains: the reason for programs, the message for people. */
export interface UnmetRequirement {
  readonly reason: 'plan_required' | 'deploy_required';
  readonly message: string;
}

/** Custom domains need a paid plan and a successful deploy; a later deploy that failed does not matter. */
export function unmetRequirement({
  id,
  plan,
  deploy,
}: Pick<Project, 'id' | 'plan' | 'deploy'>): UnmetRequirement | undefined {
  if (plan === 'free') return { reason: 'plan_required', message: new PlanRequired(id).message };
  if (deploy.succeededAt !== null) return undefined;
  return {
    reason: 'deploy_required',
    message: `The project ${id} has no successful deploy yet. Deploy it first.`,
  };
}
