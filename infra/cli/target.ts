import { findRunning, type RunningService } from '../start/running-file.ts';
import { CommandError } from './command-error.ts';
import type { GlobalOptions, Stage } from './global-options.ts';

/** What the clients of the SDK are made with; what is absent the SDK finds by itself. */
export interface AwsSettings {
  readonly region?: string;
  readonly profile?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The environment that a command works on, and how it is reached. */
export interface Target {
  readonly stage: Stage;
  readonly functionName: string;
  readonly stackName: string;
  readonly isLocal: boolean;
  readonly aws: AwsSettings;
  /** Of the HTTP interface, where it is known. */
  readonly baseUrl?: string | undefined;
  /** Where custom domains are served on this machine. */
  readonly edge?: RunningService['edge'];
}

const STACK_NAMES: Readonly<Record<Stage, string>> = {
  production: 'Petstore-Production',
  staging: 'Petstore-Staging',
};

export function targetOf({ stage, local, region, profile }: GlobalOptions): Target {
  const named = { stage, functionName: `petstore-${stage}-operator`, stackName: STACK_NAMES[stage] };
  return local ? { ...named, ...onThisMachine(stage) } : { ...named, ...onAws(region, profile) };
}

/** Nothing of the person's AWS settings is used, so nothing can go to AWS by mistake. */
function onThisMachine(stage: Stage): Pick<Target, 'isLocal' | 'aws' | 'baseUrl' | 'edge'> {
  const service = findRunning();
  if (service === undefined) throw notRunning();
  return {
    isLocal: true,
    aws: {
      region: 'us-east-1',
      endpoint: service.awsEndpoint,
      credentials: { accessKeyId: 'developer', secretAccessKey: 'developer' },
    },
    baseUrl: service.baseUrls[stage],
    edge: service.edge,
  };
}

export function notRunning(): CommandError {
  return new CommandError('not_running', 'The service is not running on this machine.', {
    advice: ['Start it with: npm start'],
  });
}

/** AWS_DEFAULT_REGION is the AWS CLI's variable; the SDK for JavaScript does not read it. */
function onAws(region: string | undefined, profile: string | undefined): Pick<Target, 'isLocal' | 'aws'> {
  const known = region || process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  return { isLocal: false, aws: { ...(known && { region: known }), ...(profile && { profile }) } };
}
