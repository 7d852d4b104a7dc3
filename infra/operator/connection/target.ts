import { attemptLimits } from '../../../shared/aws/retries.ts';
import type { OwnerLink, ProjectView } from '../../../shared/operator/contract.ts';
import { operatorFunctionOf, stackNameOf } from '../../settings/environment-name.ts';
import { CommandError, usageError } from './command-error.ts';
import { findRunning, type RunningService } from './running-file.ts';

/**
 * The settings of the SDK clients. The SDK finds absent ones in the environment and in the profile. Nobody destroys a
 * client: an idle connection doesn't keep the process alive.
 */
interface AwsSettings {
  readonly region?: string;
  readonly profile?: string;
  readonly endpoint?: string;
  readonly credentials?: RunningService['awsCredentials'];
  readonly requestHandler: ReturnType<typeof callLimits>;
}

/** Limits for calls from an operator's machine: AWS may be far away, but connecting is quick. */
export const callLimits = (responseMs: number) => attemptLimits(responseMs, 5_000);

/** A list of 500 keys takes a second or two; a response that takes longer than this is an outage. */
const requestHandler = callLimits(20_000);

export interface TargetOptions {
  readonly stage: string;
  readonly local?: true;
  readonly region?: string;
  readonly profile?: string;
}

/** The environment that a command operates, and how to reach it. */
export interface Target {
  readonly stage: string;
  readonly functionName: string;
  readonly stackName: string;
  readonly isLocal: boolean;
  readonly aws: AwsSettings;
  /** The base URL of the HTTP interface, known only with --local. */
  readonly baseUrl?: string | undefined;
  /** Where custom domains are served, with --local. */
  readonly edge?: RunningService['edge'];
}

export function targetOf({ stage, local, region, profile }: TargetOptions): Target {
  if (!local) return { ...namesOf(stage), ...onAws(region, profile) };
  const service = findRunning();
  if (service === undefined) throw notRunning();
  const stages = Object.keys(service.baseUrls);
  if (!stages.includes(stage)) {
    throw usageError(`The service on this machine has ${stages.join(' and ')}, not ${stage}.`);
  }
  return localTarget(stage, service);
}

/** Ignores the AWS settings of the user, so that no request goes to AWS by mistake. */
export function localTarget(
  stage: string,
  service: Pick<RunningService, 'awsEndpoint' | 'awsCredentials' | 'baseUrls' | 'edge'>,
): Target {
  return {
    ...namesOf(stage),
    isLocal: true,
    aws: {
      region: 'us-east-1',
      endpoint: service.awsEndpoint,
      // A copy: the SDK writes into it.
      credentials: { ...service.awsCredentials },
      requestHandler,
    },
    baseUrl: service.baseUrls[stage],
    edge: service.edge,
  };
}

function namesOf(stage: string): Pick<Target, 'stage' | 'functionName' | 'stackName'> {
  return { stage, functionName: operatorFunctionOf(stage), stackName: stackNameOf(stage) };
}

export function notRunning(): CommandError {
  return new CommandError('not_running', "The service isn't running on this machine.", {
    advice: ['Start it with: npm start'],
  });
}

/** AWS_DEFAULT_REGION is the AWS CLI's variable; the SDK for JavaScript does not read it. */
function onAws(region: string | undefined, profile: string | undefined): Pick<Target, 'isLocal' | 'aws'> {
  const known = region || process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  const aws = { ...(known && { region: known }), ...(profile && { profile }), requestHandler };
  return { isLocal: false, aws };
}

/** The URL of a stage on AWS, which doesn't resolve for the local AWS's APIs. */
const API_STAGE = /^https:\/\/[a-z0-9]+\.execute-api\.[a-z0-9-]+\.amazonaws\.[a-z.]+\/([^/]+)$/;

/** A link to the page for the owner of a domain that can be reached: with --local, at the stage of the environment. */
export function withReachableLink(link: OwnerLink, { baseUrl }: Target): OwnerLink {
  if (baseUrl === undefined) return link;
  return { ...link, url: `${baseUrl}${new URL(link.url).pathname.replace(/^\/v1/, '')}`, isServed: true };
}

/**
 * A project with URLs that can be reached. With --local, the local AWS serves the environment's stage, so its local URL
 * replaces the one on AWS. Other URLs stay as they are.
 */
export function withReachableUrl(project: ProjectView, { stage, baseUrl }: Target): ProjectView {
  if (baseUrl === undefined) return project;
  const { origin } = new URL(baseUrl);
  const reachable = (url: string) => (API_STAGE.exec(url)?.[1] === stage ? `${origin}/${stage}` : url);
  return {
    ...project,
    url: reachable(project.url),
    defaultUrl: reachable(project.defaultUrl),
    endpointUrl: reachable(project.endpointUrl),
  };
}
