import { PUBLISH_MINUTES } from '../../shared/domains/events/publish-minutes.ts';
import type { Environment } from './environment.ts';
import { MINUTE_MS } from './virtual-time.ts';
import type { World } from './world.ts';

/** The function that publishes the outbox of an environment on its schedule. With an empty outbox it would change nothing. */
export class ScheduledPublisher {
  readonly #world: World;
  readonly #environment: Environment;
  #isScheduled = false;
  #version = -1;

  constructor(world: World, environment: Environment) {
    this.#world = world;
    this.#environment = environment;
  }

  /** Schedules the next run if there is something to publish. A run may begin while an earlier one still works. */
  schedule(): void {
    const { time, version } = this.#world;
    if (this.#isScheduled || this.#version === version) return;
    this.#version = version;
    if (this.#environment.pendingEvents().size === 0) return;
    this.#isScheduled = true;
    const period = PUBLISH_MINUTES * MINUTE_MS;
    time.after(period - (time.nowMs % period), undefined, () => {
      this.#isScheduled = false;
      this.#version = -1;
      void this.#environment.publish();
    });
  }
}
