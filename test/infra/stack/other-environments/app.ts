import { App } from 'aws-cdk-lib';
import { environmentNamed } from '../../../../infra/stack/environments.ts';
import { PetstoreStack } from '../../../../infra/stack/petstore-stack.ts';
import { OTHER_ENVIRONMENTS } from './assembly.ts';

const app = new App();
for (const [name, settings] of Object.entries(OTHER_ENVIRONMENTS)) {
  new PetstoreStack(app, environmentNamed(name, settings));
}
app.synth();
