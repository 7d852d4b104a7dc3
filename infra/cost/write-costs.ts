import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../start/synthesize.ts';
import { costReport, costSummary, withCosts } from './cost-report.ts';

/** npm run cost: computes what production costs, prints it, and writes it into the READMEs here and of the project. */
const assembly = await synthesize();
const template = JSON.parse(readFileSync(join(assembly, 'Petstore-Production.template.json'), 'utf8'));
const report = costReport(template);
write('README.md', report);
write('../../README.md', costSummary(template));
process.stdout.write(report);

function write(readme: string, tables: string): void {
  const file = new URL(readme, import.meta.url);
  writeFileSync(file, withCosts(readFileSync(file, 'utf8'), tables));
}
