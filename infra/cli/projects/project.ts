import type { DeployState, Plan } from '../../../shared/operator/contract.ts';
import { DEPLOY_STATES, PLANS } from '../../../shared/projects/project-choices.ts';
import { nearest } from '../../nearest.ts';
import type { AdviceByReason } from '../framework/advice.ts';
import { usageError } from '../framework/command-error.ts';
import { withValues } from '../framework/known-values.ts';
import type { Session } from '../framework/session.ts';

export const readPlan = withValues(PLANS, (text): Plan => readOneOf(PLANS, 'A plan', text));
export const readDeployState = withValues(
  DEPLOY_STATES,
  (text): DeployState => readOneOf(DEPLOY_STATES, '--state', text),
);

function readOneOf<Value extends string>(known: readonly Value[], what: string, text: string): Value {
  const value = known.find(each => each === text);
  if (value) return value;
  const meant = nearest(text, known);
  throw usageError(
    `${what} is one of ${known.join(', ')}, not "${text}".`,
    ...(meant ? [`Did you mean: ${meant}?`] : []),
  );
}

export function adviceOnProjects(session: Session): AdviceByReason {
  const projects = `See the projects with: ${session.commandLine('projects list')}`;
  return { project_unknown: projects, id_invalid: projects };
}
