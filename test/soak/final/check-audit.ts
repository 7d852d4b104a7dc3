import type { SoakContext } from '../context.ts';
import type { Engine } from '../engine.ts';
import type { CarriedOut } from '../operators/operator-client.ts';
import type { Stage } from '../service-process.ts';
import { tableItems } from './table-items.ts';

/** Checks that the audit log has every change that was acknowledged to an operator. */
export async function checkAudit(
  { violations, tally }: SoakContext,
  stage: Stage,
  carriedOut: readonly CarriedOut[],
  engine: Engine,
): Promise<void> {
  const entries = await tableItems(engine, stage, 'OperatorAudit');
  const commands = new Map(entries.map(({ requestId, command }) => [requestId?.S ?? '', command?.S ?? '']));
  for (const { requestId, command } of carriedOut) {
    if (commands.get(requestId) !== command) {
      violations.add(
        'lost',
        `${command} (${requestId}) of ${stage} was acknowledged and is missing in the audit log`,
      );
    }
  }
  tally.count('audit entries checked', carriedOut.length);
}
