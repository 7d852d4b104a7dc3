import { existsSync, writeFileSync } from 'node:fs';
import { readTemplate } from '../../../../infra/local/template.ts';
import { completeStacks } from '../other-environments/assembly.ts';
import { readableTemplate } from './readable-template.ts';
import { changedLines, committedSnapshot, SNAPSHOT_FILE, yamlOf } from './snapshot.ts';
import { widening } from './widening.ts';

/** `npm run template`: accepts the template as it is now, and says first what it permits, exposes or may lose. */
process.stderr.write('Synthesizing the stacks …\n');
const current = readableTemplate(readTemplate(completeStacks(), 'Petstore-Production'));
const committed = existsSync(SNAPSHOT_FILE) ? committedSnapshot() : { ...current, Resources: {} };
const wider = widening(committed, current);
process.stdout.write(
  wider.length === 0 ? 'Nothing widens.\n' : `This widens, so look at each line:\n\n${wider.join('\n')}\n`,
);
const changed = changedLines(committed, current);
process.stdout.write(
  changed.length === 0 ? '\nThe template is as it was.\n' : `\nWhat changes:\n\n${changed.join('\n')}\n`,
);
writeFileSync(SNAPSHOT_FILE, yamlOf(current));
