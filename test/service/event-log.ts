import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SharedServiceAddress } from '../setup/start-shared-service.ts';

/** An event as the log of the event bus has it. */
export interface LoggedEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The events of a domain that the event bus has logged so far. Repeats are left out: they have the same id. */
export function loggedEvents({ errorFile }: SharedServiceAddress, domain: string): LoggedEvent[] {
  const folder = dirname(errorFile);
  const files = globSync('local-runtime-*/aws-events-default.log', { cwd: folder });
  const events = files.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line.endsWith('}'))
      // The time of the line precedes the event.
      .map((line): LoggedEvent => JSON.parse(line.slice(line.indexOf('{')))),
  );
  const domainEvents = events.filter(({ detail }) => detail.domain === domain);
  return [...new Map(domainEvents.map(event => [event.detail.id, event])).values()];
}
