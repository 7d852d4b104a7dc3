import { readFileSync, writeFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { LOCAL_ENVIRONMENTS } from '../stack/environments.ts';
import { PetstoreStack } from '../stack/petstore-stack.ts';
import { costReport, withCosts } from './cost-report.ts';
import { domainReport } from './domain-costs.ts';

/** npm run cost: computes what production costs, prints it, and writes it into the documents. */
process.stderr.write('Synthesizing the stack …\n');
const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
const alarms = { pages: 'pages@example.com', tickets: 'tickets@example.com' };
const templates = { template: production({}), watched: production({ alarms }) };
const report = costReport(templates);
write('README.md', report);
write('../../shared/domains/guide.md', domainReport(templates.template));
process.stdout.write(report);

function production(changes: object) {
  const app = new App({ context });
  for (const environment of LOCAL_ENVIRONMENTS) {
    if (environment.stage === 'production') new PetstoreStack(app, { ...environment, ...changes });
  }
  return app.synth().getStackByName('Petstore-Production').template;
}

function write(document: string, tables: string): void {
  const file = new URL(document, import.meta.url);
  writeFileSync(file, withCosts(readFileSync(file, 'utf8'), tables));
}
