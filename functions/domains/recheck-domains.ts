import { recheckParts } from '../../shared/domains/composition.ts';
import { recheckAll } from '../../shared/domains/steps/scheduled-work.ts';
import { logCompletedRun } from '../../shared/log.ts';

const parts = recheckParts();

/** What EventBridge sends: every day, and when ACM has an event about the certificates that it names. */
interface RecheckEvent {
  readonly source?: string;
  readonly resources?: readonly string[];
}

/** Checks live domains again: all of them every day, those of a certificate when ACM sends an event about it. */
export async function handler({ source, resources = [] }: RecheckEvent): Promise<{ checked: number }> {
  const isDaily = source !== 'aws.acm';
  const checked = await recheckAll(parts, isDaily ? undefined : resources);
  // An event of ACM doesn't count as a daily check.
  if (isDaily) logCompletedRun({ checked });
  return { checked };
}
