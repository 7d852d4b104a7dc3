/** How often the outbox is published. */
export const PUBLISH_MINUTES = 2;
