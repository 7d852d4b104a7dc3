import { outbox } from '../../shared/domains/life/outbox.ts';
import { eventBus, publisher } from '../../shared/domains/publisher.ts';
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
