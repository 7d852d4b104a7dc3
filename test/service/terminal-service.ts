import { createInterface } from 'node:readline';
import { startCommand } from '../infra/start/command.ts';
import type { Environment } from './running-service.ts';

/** Starts the service of a project as `npm start` does at a terminal, and waits for its banner. */
export async function startAtTerminal(project: string, flags: readonly string[]) {
  const started = startCommand(['--port', '0', ...flags], { project, isUnderNpm: true });
  let complaints = '';
  const lines = createInterface({ input: started.stderr });
  const reports = lines[Symbol.asyncIterator]();
  lines.on('line', line => {
    complaints += `${line}\n`;
  });
  const printed = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  let banner = '';
  for (let line = await printed.next(); !line.done; line = await printed.next()) {
    banner += `${line.value}\n`;
    if (line.value.includes('Ctrl-C')) break;
  }
  const environmentOf = (name: string): Environment => {
    const [, url = '', apiKey = ''] =
      new RegExp(`^ *${name} +(http\\S+)\\n +(pet_\\S+)$`, 'm').exec(banner) ?? [];
    return { url, apiKey };
  };
  return {
    /** That of its npm. */
    process: started,
    banner,
    production: environmentOf('production'),
    staging: environmentOf('staging'),
    /** What it has written to standard error so far. */
    complaints: () => complaints,
    /** Waits for a line of its reports. */
    async reported(expected: RegExp): Promise<void> {
      for (let line = await reports.next(); !line.done; line = await reports.next()) {
        if (expected.test(line.value)) return;
      }
      throw new Error(`The service ended without reporting ${expected}.`);
    },
    /** Whether it has ended without printing another line. */
    printsNoMore: async () => (await printed.next()).done === true,
  };
}
