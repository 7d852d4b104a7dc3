import { relative, resolve } from 'node:path';
import { Annotations, App, Validations } from 'aws-cdk-lib';
import { SettingsError } from './settings/settings.ts';
import {
  deployedEnvironments,
  type Environment,
  type LocalSettings,
  localEnvironments,
} from './stack/environments.ts';
import { PetstoreStack } from './stack/petstore-stack.ts';

/** The folder of the settings files, unless `-c settings=<folder>` names another one. */
const SETTINGS_FOLDER = resolve(import.meta.dirname, 'settings');

/** Whether `npm start` synthesizes. `-c` can only set text: the object comes from infra/start/synthesize.ts alone. */
const isLocal = ({ node }: App) => typeof node.tryGetContext('petstore:local') === 'object';

const NO_CREDENTIALS =
  'No AWS credentials found. To deploy or diff, run `aws sso login` or set AWS_PROFILE, then try again.';

/** The cdk command passes on the account of the shell's credentials. Without one it ends with an error that says no more. */
const isWithoutCredentials = () => 'CDK_CLI_VERSION' in process.env && !process.env.CDK_DEFAULT_ACCOUNT;

function environmentsOf(app: App): readonly Environment[] {
  const { node } = app;
  if (isLocal(app)) return localEnvironments(node.tryGetContext('petstore:local') as LocalSettings);
  const folder = relative('', node.tryGetContext('settings') ?? SETTINGS_FOLDER);
  return deployedEnvironments(folder, node.tryGetContext('environment'));
}

// The cdk command prints nothing before it has the templates.
if ('CDK_CLI_VERSION' in process.env) {
  process.stderr.write('Bundling the functions and synthesizing the stacks …\n');
}
try {
  const app = new App();
  // Settings that are refused are reported before the rules are loaded.
  const environments = environmentsOf(app);
  if (!isLocal(app)) {
    // The rules are for what is deployed, and loading them takes a fifth of the time of a synthesis.
    const { AwsSolutionsChecks } = await import('cdk-nag');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  }
  for (const environment of environments) {
    const stack = new PetstoreStack(app, environment);
    if (isWithoutCredentials()) Annotations.of(stack).addInfo(NO_CREDENTIALS);
  }
  app.synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
