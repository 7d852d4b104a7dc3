import type { ProjectView } from '../../../shared/operator/contract.ts';
import type { Target } from '../framework/target.ts';

/** The address of a stage on AWS, which does not resolve for the APIs of the local runtime. */
const API_STAGE = /^https:\/\/[a-z0-9]+\.execute-api\.[a-z0-9-]+\.amazonaws\.com\/([^/]+)$/;

/**
 * A project with addresses that can be reached. With --local, the stage of the environment is served by the local runtime:
 * its address on AWS is replaced by the one on this machine. Other addresses stay as they are.
 */
export function withReachableAddress(project: ProjectView, { stage, baseUrl }: Target): ProjectView {
  if (baseUrl === undefined) return project;
  const { origin } = new URL(baseUrl);
  const reachable = (address: string) =>
    API_STAGE.exec(address)?.[1] === stage ? `${origin}/${stage}` : address;
  return {
    ...project,
    address: reachable(project.address),
    defaultAddress: reachable(project.defaultAddress),
  };
}
