import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { environmentNamed } from '../../../../infra/stack/environments.ts';
import { PetstoreStack } from '../../../../infra/stack/petstore-stack.ts';
import { COMPLETE_ENVIRONMENTS, COMPLETE_FOLDER, OTHER_ENVIRONMENTS } from './assembly.ts';

const app = new App();
for (const [name, settings] of Object.entries(OTHER_ENVIRONMENTS)) {
  new PetstoreStack(app, environmentNamed(name, settings));
}
app.synth();

const complete = new App({ outdir: join(process.env.CDK_OUTDIR ?? '', COMPLETE_FOLDER) });
for (const [name, settings] of Object.entries(COMPLETE_ENVIRONMENTS)) {
  new PetstoreStack(complete, environmentNamed(name, settings));
}
complete.synth();
