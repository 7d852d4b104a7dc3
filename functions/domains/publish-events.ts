import { eventBus } from '../../shared/domains/events/event-bus.ts';
import { publisher } from '../../shared/domains/events/publisher.ts';
import { outbox } from '../../shared/domains/life/outbox.ts';
import { required } from '../../shared/environment.ts';
import { logCompletedRun } from '../../shared/log.ts';

// Without the composition root of domains: the function runs every two minutes, and needs none of the other clients.
const publish = publisher({
  outbox: outbox(required('DOMAINS_TABLE')),
  bus: eventBus(required('ENVIRONMENT')),
});

/** Every two minutes: publishes the events of domains whose state has changed. */
export async function handler(): Promise<{ published: number }> {
  const { published } = await publish();
  logCompletedRun({ published });
  return { published };
}
