import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PRODUCTION, STAGING } from './stack/environments.ts';
import { PetstoreStack } from './stack/petstore-stack.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
for (const environment of [PRODUCTION, STAGING]) new PetstoreStack(app, environment);
app.synth();
