import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../start/synthesize.ts';
import { costReport } from './cost-report.ts';
import { withCosts } from './readme.ts';

/** npm run cost: computes what production costs, prints it, and writes it into the README beside this file. */
const assembly = await synthesize();
const report = costReport(
  JSON.parse(readFileSync(join(assembly, 'Petstore-Production.template.json'), 'utf8')),
);
const file = new URL('README.md', import.meta.url);
writeFileSync(file, withCosts(readFileSync(file, 'utf8'), report));
process.stdout.write(report);
