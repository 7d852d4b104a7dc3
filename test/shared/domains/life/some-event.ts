import type { DomainEvent } from '../../../../shared/domains/life/domain-event.ts';
import { AT } from '../claimed-domain.ts';

/** An event of www.zoo.example, with these differences. */
export function someEvent(changes: Partial<DomainEvent> = {}): DomainEvent {
  const revision = changes.revision ?? 8;
  return {
    id: `0123456789abcdef0123-${revision}`,
    type: 'failed',
    domain: 'www.zoo.example',
    project: 'zoo',
    status: 'failed',
    reason: 'caa_blocked',
    message: 'A CAA record forbids it.',
    revision,
    at: AT,
    ...changes,
  };
}
