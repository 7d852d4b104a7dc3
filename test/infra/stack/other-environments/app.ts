import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { environmentNamed, LOCAL_ENVIRONMENTS } from '../../../../infra/stack/environments.ts';
import { PetstoreStack } from '../../../../infra/stack/petstore-stack.ts';
import { OTHER_ENVIRONMENTS, WATCHED_FOLDER } from './assembly.ts';

const app = new App();
for (const [name, settings] of Object.entries(OTHER_ENVIRONMENTS)) {
  new PetstoreStack(app, environmentNamed(name, settings));
}
app.synth();

const alarms = { pages: 'pages@zoo.dev', tickets: 'tickets@zoo.dev' };
const budgets: Readonly<Record<string, number>> = { production: 100 };
const watched = new App({ outdir: join(process.env.CDK_OUTDIR ?? '', WATCHED_FOLDER) });
for (const environment of LOCAL_ENVIRONMENTS) {
  const monthlyBudget = budgets[environment.stage];
  new PetstoreStack(watched, { ...environment, alarms: { ...alarms, monthlyBudget } });
}
watched.synth();
