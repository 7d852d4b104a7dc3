import type { ResultOf } from '../../../shared/operator/contract.ts';
import { EXIT_CODES } from '../framework/command-error.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import { Session } from '../framework/session.ts';
import type { Style } from '../framework/style.ts';

type Reconciled = ResultOf<'keys.reconcile'>;

export function addReconcile(keys: PetstoreCommand): void {
  keys
    .command('reconcile')
    .summary('make API Gateway agree with the API keys')
    .description(
      'Makes API Gateway agree with the API keys: adds every valid key that API Gateway or the usage plan has lost, for example because the stack was created anew, and removes what is left of keys that are revoked, have expired or were never recorded. Keys of other environments and teams are never changed.',
    )
    .examples(
      'keys reconcile',
      'keys reconcile --stage production --yes',
      'keys reconcile --json | jq .added',
    )
    .action(async (_: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const reconciled = await reconcileAll(session);
      session.show(reconciled, style => reconciledText(reconciled, session, style));
      if (reconciled.remaining > 0) session.endWith(EXIT_CODES.pending);
    });
}

/** Repeats the command until nothing remains: one run changes keys for half a minute. */
async function reconcileAll(session: Session): Promise<Reconciled> {
  const added: string[] = [];
  const removed: string[] = [];
  for (let isConfirmed = false; ; isConfirmed = true) {
    const summary = 'make API Gateway agree with the API keys';
    const run = await session.change('keys.reconcile', {}, summary, { isConfirmed });
    added.push(...run.added);
    removed.push(...run.removed);
    const isOver = run.remaining === 0 || run.added.length + run.removed.length === 0;
    if (isOver) return { ...run, added, removed };
    session.progress(`${added.length} added, ${removed.length} removed, ${run.remaining} to go …`);
  }
}

function reconciledText(
  { added, removed, left, remaining }: Reconciled,
  session: Session,
  style: Style,
): string {
  const counts = `${added.length} added, ${removed.length} removed, ${left.valid} in place already`;
  const sentences = [
    `The API keys of ${session.environment} at API Gateway: ${counts}.`,
    ...(left.recent > 0
      ? [`${left.recent} without a record are left, because they may be just being created.`]
      : []),
    ...(left.foreign > 0
      ? [`${left.foreign} in the usage plan are not of this environment, and are left.`]
      : []),
    ...(remaining > 0
      ? [`${remaining} changes remain. Repeat: ${session.commandLine('keys reconcile')}`]
      : []),
  ];
  return [
    ...sentences.map(sentence => prose(sentence, style)),
    ...added.map(id => `  added    ${id}`),
    ...removed.map(id => `  removed  ${id}`),
  ].join('\n');
}
