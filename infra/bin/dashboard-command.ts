import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PetstoreCommand } from '../cli/framework/petstore-command.ts';
import { Session } from '../cli/framework/session.ts';
import { prose } from '../cli/framework/style.ts';
import { FALLBACK_NOTE } from '../dashboard/server/access.ts';
import type { Dashboard } from '../dashboard/server/start-dashboard.ts';
import { CommandError, usageError } from '../operator/connection/command-error.ts';
import { connectOperator } from '../operator/connection/invoke-operator.ts';

/** Stays the same at every start, so that pages that were left open find the next one. */
const DEFAULT_PORT = 4180;

interface Options {
  readonly open: boolean;
  readonly port?: number;
}

export function declareGroup(dashboard: PetstoreCommand): void {
  dashboard
    .description(
      'Serves a dashboard on this machine and opens it in your browser: projects, custom domains, API keys, orders and the audit log of one environment. It uses the AWS credentials of this shell, is reachable only from this machine, and runs until you press Ctrl-C.',
    )
    .option('--no-open', "don't open the browser")
    .option(
      '--port <n>',
      `port of the dashboard (default: ${DEFAULT_PORT}, or a free one if it's taken)`,
      readPort,
    )
    .examples('dashboard', 'dashboard --stage production', 'dashboard --local --no-open')
    .action(async ({ open, port }: Options, command: PetstoreCommand) => {
      const session = new Session(command);
      // Reports missing credentials here, where they can be set up, and not in the browser.
      await connectOperator(session.target);
      const { url, fallbackUrl } = await serve(session, open, port);
      session.show({ dashboard: url, dashboardFallback: fallbackUrl }, style =>
        [
          `The dashboard of ${session.environment}:`,
          '',
          `  ${style.bold(url)}`,
          '',
          "The link signs a browser in, so don't share it. Press Ctrl-C to stop the dashboard.",
          '',
          prose(FALLBACK_NOTE, style),
          '',
          `  ${fallbackUrl}`,
        ].join('\n'),
      );
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      // Open connections of the browser would keep the process alive.
      process.exit();
    });
}

async function serve(session: Session, isOpened: boolean, port: number | undefined): Promise<Dashboard> {
  // Loaded here because no other command needs it.
  const { startDashboard } = await import('../dashboard/server/start-dashboard.ts');
  try {
    const dashboard = await startDashboard([session.target], {
      port: port ?? DEFAULT_PORT,
      canMove: port === undefined,
    });
    if (isOpened) openBrowser(dashboard.singleUseUrl());
    return dashboard;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandError('port_taken', `Port ${port} is in use.`, {
      advice: ['Choose another with --port, or leave it out.'],
    });
  }
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Asks the desktop to open a URL. Without a desktop nothing happens; the URL is printed as well. */
function openBrowser(url: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...words, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usageError(`--port takes a number from 0 to 65535, not "${text}".`);
}
