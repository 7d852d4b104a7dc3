import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Acceptance } from './acceptance.ts';
import type { Outcome } from './report.ts';

/** Somebody else has to say it. The message says who, and with which command. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

const run = promisify(execFile);

/** Long enough for a list of several pages. */
const CLI_LIMIT_MS = 60_000;

/** The output of the AWS CLI, for the services that nothing else of this project calls. */
export async function aws({ session, region }: Acceptance, ...words: string[]) {
  const { profile } = session.target.aws;
  const options = ['--region', region, ...(profile ? ['--profile', profile] : []), '--output', 'json'];
  try {
    const { stdout } = await run('aws', [...words, ...options], {
      timeout: CLI_LIMIT_MS,
      env: { ...process.env, AWS_PAGER: '' },
    });
    return stdout.trim() === '' ? undefined : JSON.parse(stdout);
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    const said = stderr?.trim().split('\n').at(-1) || message;
    const cause = code === 'ENOENT' ? "the AWS CLI isn't installed" : said;
    const line = ['aws', ...words, ...options].map(word => (/^[\w:/.=-]+$/.test(word) ? word : `'${word}'`));
    throw new Undecided(`${cause} (${line.join(' ')})`);
  }
}

/** The outcome of work with the AWS CLI: what can't be asked isn't decided. */
export async function orUndecided(work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Undecided) return { result: 'undecided', message: error.message };
    throw error;
  }
}
