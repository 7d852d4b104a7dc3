import { Option } from 'commander';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import type { NewApiKey, ResultOf, Scope } from '../../../shared/operator/contract.ts';
import {
  type AdviceByReason,
  CommandError,
  EXIT_CODES,
  PROGRAM_NAME,
  usageError,
  withAdvice,
} from '../../operator/connection/command-error.ts';
import { exactTime, relativeTime } from '../../operator/readable-times.ts';
import { addRow, type SubcommandRow } from '../framework/command-row.ts';
import type { GlobalOptions } from '../framework/global-options.ts';
import { readDurationMs, readExpiry } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import { countOf, prose, type Style, sections } from '../framework/style.ts';
import { apiKeyTable, newApiKeyText, quotedName } from './show-api-keys.ts';
import { tryNewKey } from './try-new-key.ts';

export function declareGroup(keys: PetstoreCommand): void {
  keys
    .description('Manages the API keys that clients call the API with.')
    .examples(
      'keys create --name "Acme"',
      'keys list --stage production',
      'keys rotate key_1f0c… --overlap 24h',
    );
  addCreate(keys);
  addRow(keys, LIST);
  addRow(keys, REVOKE);
  addRotate(keys);
  addReconcile(keys);
}

interface CreateOptions {
  readonly name: string;
  readonly expires?: string;
  readonly scopes?: Scope[];
}

function addCreate(keys: PetstoreCommand): void {
  keys
    .command('create')
    .summary('create an API key')
    .description(
      "Creates an API key and prints it. This is the only time you see it: the key itself isn't stored.",
    )
    .requiredOption('--name <name>', 'who or what the key is for')
    .option(
      '--expires <when>',
      'last day, such as 2027-01-31 (UTC), or time from now, such as 90d (default: never)',
    )
    .addOption(
      new Option('--scopes <list>', `what the key allows: ${SCOPE_NAMES.join(',')} (default: all)`)
        .choices(SCOPE_NAMES)
        .argParser(readScopes),
    )
    .examples(
      'keys create --name "Acme"',
      'keys create --name "Acme" --expires 90d --scopes pets:read,pets:write',
      'keys create --name "Acme" --json | jq -r .key',
    )
    .action(async ({ name, expires, scopes }: CreateOptions, command: PetstoreCommand) => {
      const { requestId } = command.optsWithGlobals<GlobalOptions>();
      const expiresAt = expires && readExpiry(expires, Date.now(), requestId !== undefined);
      const session = new Session(command);
      const input = { name, expiresAt, scopes };
      const summary = `create an API key named ${quotedName({ name })}`;
      const created = requireKey(
        session,
        await session.change('keys.create', input, summary, { fixed: { '--expires': expiresAt } }),
      );
      await showNewKey(session, created, `Created an API key for ${quotedName(created)}`);
    });
}

async function showNewKey(session: Session, created: NewApiKey & { key: string }, what: string, more = '') {
  session.show(created, style =>
    sections(
      [prose(`${what} in ${session.environment}:`, style)],
      [newApiKeyText(created, style, session.target.baseUrl)],
      more ? [prose(more, style)] : [],
    ),
  );
  await tryNewKey(session, created);
}

const LIST: SubcommandRow<'keys.list'> = {
  command: 'keys.list',
  aliases: ['ls'],
  summary: 'list the API keys',
  description:
    'Lists the API keys, valid ones first, and the last four characters of each. LAST SEEN is when the key was last used while valid, to within five minutes, even if the request was refused (for its scope, say). Lost keys are missing from API Gateway; disabled ones were disabled there.',
  input: () => ({ compare: true }),
  examples: ['keys list', 'keys list --stage production', "keys list --json | jq '.keys[].name'"],
  done: (result, session) =>
    result.keys.length > 0
      ? style =>
          [
            apiKeyTable(result, style, Date.now()),
            ...keyRemedies(session, result.differences).flatMap(remedy => ['', prose(remedy, style)]),
          ].join('\n')
      : `No API keys yet. Create one with: ${session.commandLine('keys create --name "Acme"')}`,
};

/** What to do about valid keys with which every request gets 401. */
export function keyRemedies(session: Session, differences: ResultOf<'keys.list'>['differences']): string[] {
  const { missing = [], disabled = [] } = differences ?? {};
  return [
    ...(missing.length > 0
      ? [
          `API Gateway lost ${countOf(missing.length, 'key')}. Restore with: ${session.commandLine('keys reconcile')}`,
        ]
      : []),
    ...disabled.map(
      ({ id, gatewayId }) =>
        `${id} was disabled at API Gateway. Enable it with: aws apigateway update-api-key --api-key ${gatewayId} --patch-operations op=replace,path=/enabled,value=true`,
    ),
  ];
}

const REVOKE: SubcommandRow<'keys.revoke'> = {
  command: 'keys.revoke',
  aliases: ['rm', 'delete'],
  summary: 'revoke an API key',
  description: 'Revokes an API key permanently. Within a minute, every request with it gets 401.',
  fields: { id: ['<id>', 'the ID of the key, from the first column of "keys list"', readKeyId] },
  examples: ['keys revoke key_1f0c…', 'keys revoke key_1f0c… --stage production --yes'],
  question: ({ id }) => `revoke the API key ${id}`,
  response: (sent, session) => withAdvice(adviceOnKeys(session), sent),
  done: (revoked, { environment }, { id }) =>
    `Revoked ${id}, the API key for ${quotedName(revoked)} in ${environment}. Within a minute, every request with it gets 401.`,
};

function addRotate(keys: PetstoreCommand): void {
  keys
    .command('rotate')
    .summary('replace an API key with a new one')
    .description(
      'Creates an API key with the name, scopes and expiry of an old one. The old one keeps working until the overlap ends.',
    )
    .argument('<id>', 'the ID of the old key, from the first column of "keys list"', readKeyId)
    .option(
      '--overlap <duration>',
      'how long the old key keeps working, such as 30m, 24h or 7d (default: 24h)',
    )
    .examples('keys rotate key_1f0c… --overlap 24h', 'keys rotate key_1f0c… --overlap 7d --stage production')
    .action(async (id: string, { overlap = '24h' }: { overlap?: string }, command: PetstoreCommand) => {
      const overlapMs = readDurationMs('--overlap', overlap, '30m, 24h or 7d');
      const input = { id, overlapHours: overlapMs / 3_600_000 };
      const session = new Session(command);
      const summary = `rotate the API key ${id}, which keeps working for ${overlap}`;
      const rotated = requireKey(
        session,
        await withAdvice(adviceOnKeys(session), session.change('keys.rotate', input, summary)),
      );
      const { id: oldId, expiresAt } = rotated.replaces;
      const until = `${exactTime(expiresAt)} (${relativeTime(expiresAt, Date.now())})`;
      await showNewKey(
        session,
        rotated,
        `Created a new API key for ${quotedName(rotated)}`,
        Date.parse(expiresAt) > Date.now()
          ? `The old key, ${oldId}, works until ${until}.`
          : `The old key, ${oldId}, has expired. Within a minute, every request with it gets 401.`,
      );
    });
}

function adviceOnKeys(session: Session): AdviceByReason {
  const ids = `List them: ${session.commandLine('keys list')}`;
  return { key_unknown: ids, id_invalid: ids };
}

type Reconciled = ResultOf<'keys.reconcile'>;

function addReconcile(keys: PetstoreCommand): void {
  keys
    .command('reconcile')
    .summary('sync API Gateway with the API keys')
    .description(
      'Syncs API Gateway with the API keys. Adds every valid key that API Gateway or the usage plan has lost, for example because the stack was recreated, and removes keys that are revoked, expired or unrecorded. Never touches keys of other environments or teams.',
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
  for (let runs = 0; ; runs += 1) {
    const summary = 'sync API Gateway with the API keys';
    const options = { isConfirmed: runs > 0, part: runs > 0 ? String(runs) : '' };
    const run = await session.change('keys.reconcile', {}, summary, options);
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
  const counts = `${added.length} added, ${removed.length} removed, ${left.valid} unchanged`;
  const sentences = [
    `Synced API Gateway with the API keys of ${session.environment}: ${counts}.`,
    ...(left.recent > 0
      ? [`Left ${left.recent} without a record alone: someone may be creating them right now.`]
      : []),
    ...(left.foreign > 0
      ? [`Left ${left.foreign} in the usage plan alone: they aren't this environment's.`]
      : []),
    ...(remaining > 0
      ? [`${remaining} changes remain. Run it again: ${session.commandLine('keys reconcile')}`]
      : []),
  ];
  return [
    ...sentences.map(sentence => prose(sentence, style)),
    ...added.map(id => `  added    ${id}`),
    ...removed.map(id => `  removed  ${id}`),
  ].join('\n');
}

function readScopes(text: string): Scope[] {
  return [...new Set(text.split(',').map(scope => readScope(scope.trim())))];
}

function readScope(text: string): Scope {
  const scope = SCOPE_NAMES.find(known => known === text);
  if (scope) return scope;
  throw usageError(`"${text}" isn't a scope. The scopes are ${SCOPE_NAMES.join(', ')}.`);
}

/** Refuses an API key in place of its id. The key is neither printed nor sent: the audit log records what is sent. */
export function readKeyId(text: string): string {
  if (/^pet_(live|test)_/.test(text)) {
    throw usageError(
      "That's an API key, or part of one. Use its ID instead, such as key_1f0c….",
      `The IDs are in the first column of: ${PROGRAM_NAME} keys list`,
    );
  }
  if (!text.startsWith('key_')) {
    throw usageError(`No key has the ID "${text}".`, `List them: ${PROGRAM_NAME} keys list`);
  }
  return text;
}

/**
 * Refuses a response without the key. The SDK repeats a request whose response was lost, and the response to a repeated
 * request has no key, because the key is stored nowhere.
 */
export function requireKey<Created extends NewApiKey>(
  session: Session,
  response: Created,
): Created & { key: string } {
  const { key } = response;
  if (key) return { ...response, key };
  throw new CommandError(
    'key_lost',
    `The API key ${response.id} was created, but the response with the key was lost.`,
    {
      advice: [
        `The key can't be recovered. Revoke it with: ${session.commandLine(`keys revoke ${response.id}`)}`,
        'Then try again.',
      ],
    },
  );
}
