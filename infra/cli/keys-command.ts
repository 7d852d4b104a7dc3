import { withAdvice } from './advice.ts';
import { type ApiKey, type NewApiKey, readKeyId, readScopes, SCOPES, withKey } from './api-key.ts';
import { readExpiry, readHours } from './duration.ts';
import type { PetstoreCommand } from './petstore-command.ts';
import { exactTime, relativeTime } from './readable-times.ts';
import { Session } from './session.ts';
import { apiKeyTable, newApiKeyText, quotedName } from './show-api-keys.ts';

/** petstore keys …: the API keys of an environment. */
export function addKeysCommand(program: PetstoreCommand): void {
  const keys = program
    .command('keys')
    .summary('create, list, revoke and rotate API keys')
    .description('The API keys with which clients call the HTTP interface.')
    .examples(
      'keys create --name "Acme"',
      'keys list --stage production',
      'keys rotate key_1f0c… --overlap 24h',
    );
  addCreate(keys);
  addList(keys);
  addRevoke(keys);
  addRotate(keys);
}

interface CreateOptions {
  readonly name: string;
  readonly expires?: string;
  readonly scopes?: string[];
}

function addCreate(keys: PetstoreCommand): void {
  keys
    .command('create')
    .summary('create an API key')
    .description('Creates an API key and prints it, this one time: it is stored nowhere.')
    .requiredOption('--name <name>', 'whom or what the key is for')
    .option(
      '--expires <when>',
      'last day, such as 2027-01-31 (UTC), or time from now, such as 90d (default: never)',
      text => readExpiry(text, Date.now()),
    )
    .option('--scopes <list>', `what it may do: ${SCOPES.join(',')} (default: all)`, readScopes)
    .examples(
      'keys create --name "Acme"',
      'keys create --name "Acme" --expires 90d --scopes pets:read,pets:write',
      'keys create --name "Acme" --json | jq -r .key',
    )
    .action(async ({ name, expires, scopes }: CreateOptions, command: PetstoreCommand) => {
      const session = new Session(command);
      const fields = { name, ...(expires && { expiresAt: expires }), ...(scopes && { scopes }) };
      const created = withKey(
        session,
        await session.change<NewApiKey>(
          'keys.create',
          fields,
          `create an API key named ${quotedName({ name })}`,
        ),
      );
      session.show(created, style =>
        [
          `Created an API key for ${quotedName(created)} in ${session.place}:`,
          '',
          newApiKeyText(created, style, session.target.baseUrl),
        ].join('\n'),
      );
    });
}

function addList(keys: PetstoreCommand): void {
  keys
    .command('list')
    .alias('ls')
    .summary('list the API keys')
    .description(
      'Lists the API keys, those that work first. A key itself is never shown again, only its last letters.',
    )
    .examples('keys list', 'keys list --stage production', "keys list --json | jq '.keys[].name'")
    .action(async (_: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const result = await session.read<{ keys: ApiKey[] }>('keys.list');
      session.show(result, style =>
        result.keys.length > 0
          ? apiKeyTable(result.keys, style, Date.now())
          : `No API keys yet. Create one with: ${session.commandLine('keys create --name "Acme"')}`,
      );
    });
}

function addRevoke(keys: PetstoreCommand): void {
  keys
    .command('revoke')
    .summary('end an API key at once')
    .description('Ends an API key at once and for good: requests with it get 401.')
    .argument('<id>', 'the id of the key, as in the first column of "keys list"', readKeyId)
    .examples('keys revoke key_1f0c…', 'keys revoke key_1f0c… --stage production --yes')
    .action(async (id: string, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const revoked = await withAdvice(
        wayToIds(session),
        session.change<ApiKey>('keys.revoke', { id }, `revoke the API key ${id}`),
      );
      session.show(
        revoked,
        () => `Revoked ${id}, the API key of ${quotedName(revoked)} in ${session.place}. It no longer works.`,
      );
    });
}

interface RotatedKey extends NewApiKey {
  readonly replaces: { readonly id: string; readonly expiresAt: string };
}

function addRotate(keys: PetstoreCommand): void {
  keys
    .command('rotate')
    .summary('replace an API key by a new one')
    .description('Creates a key that may do the same as an old one, which goes on working for the overlap.')
    .argument('<id>', 'the id of the old key, as in the first column of "keys list"', readKeyId)
    .option('--overlap <duration>', 'how long the old key still works, such as 30m, 24h or 7d (default: 24h)')
    .examples('keys rotate key_1f0c… --overlap 24h', 'keys rotate key_1f0c… --overlap 7d --stage production')
    .action(async (id: string, { overlap = '24h' }: { overlap?: string }, command: PetstoreCommand) => {
      const fields = { id, overlapHours: readHours('--overlap', overlap) };
      const session = new Session(command);
      const words = `rotate the API key ${id}, which then works for another ${overlap}`;
      const rotated = withKey(
        session,
        await withAdvice(wayToIds(session), session.change<RotatedKey>('keys.rotate', fields, words)),
      );
      session.show(rotated, style => {
        const { expiresAt } = rotated.replaces;
        return [
          `Created a new API key for ${quotedName(rotated)} in ${session.place}:`,
          '',
          newApiKeyText(rotated, style, session.target.baseUrl),
          '',
          `The old key, ${rotated.replaces.id}, works until ${exactTime(expiresAt)} (${relativeTime(expiresAt, Date.now())}).`,
        ].join('\n');
      });
    });
}

const wayToIds = (session: Session) => `See the ids with: ${session.commandLine('keys list')}`;
