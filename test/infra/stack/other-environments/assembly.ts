import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { cachedFolder } from '../../../../infra/settings/build-cache.ts';
import { SOURCES } from '../../../../infra/start/synthesize.ts';
import { PROJECT } from '../../../service/running-service.ts';

const OWN_SOURCES = join(relative(PROJECT, import.meta.dirname), '*.ts');

/** The stacks of other environments. A synthesis takes seconds, so it is kept until a source changes. */
export function otherEnvironments(): CloudAssembly {
  const assembly = cachedFolder('other-environments', [...SOURCES, OWN_SOURCES]);
  if (assembly.isComplete) return new CloudAssembly(assembly.folder);
  execFileSync(process.execPath, [join(import.meta.dirname, 'app.ts')], {
    env: { ...process.env, CDK_OUTDIR: assembly.unfinished },
  });
  return new CloudAssembly(assembly.complete());
}
