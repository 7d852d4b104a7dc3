/** What rules of EventBridge and metric filters match. */
export { EventPattern, matches } from '../events/rules.ts';
export { filterPattern } from '../logs/filter-pattern.ts';
