import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import type { ApiKey, NewApiKey, ResultOf } from '../../../shared/operator/contract.ts';
import { exactTime, relativeTime } from '../../operator/readable-times.ts';
import { printable, prose, type Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

type KeyList = ResultOf<'keys.list'>;

/** The valid keys come first; otherwise the newest ones do. */
export function apiKeyTable({ keys, differences }: KeyList, style: Style, nowMs: number): string {
  const missing = new Set(differences?.missing);
  const disabled = new Set(differences?.disabled.map(({ id }) => id));
  const isValid = ({ revokedAt, expiresAt }: ApiKey) =>
    !revokedAt && (!expiresAt || Date.parse(expiresAt) > nowMs);
  const statusOf = (key: ApiKey) => {
    if (!isValid(key)) return key.revokedAt ? 'revoked' : 'expired';
    if (missing.has(key.id)) return 'lost';
    return disabled.has(key.id) ? 'disabled' : 'valid';
  };
  const timeOf = (time: string | null) => (time ? relativeTime(time, nowMs) : 'never');
  const { green, yellow, red } = style;
  const paintStatus = { valid: green, expired: yellow, disabled: red, lost: red, revoked: red };
  const columns: Column<ApiKey>[] = [
    { title: 'ID', value: key => key.id },
    { title: 'NAME', value: key => key.name, canShrink: true, paint: style.bold },
    { title: 'KEY', value: key => key.hint },
    { title: 'SCOPES', value: key => scopesOf(key), canShrink: true },
    { title: 'CREATED', value: key => timeOf(key.createdAt) },
    { title: 'EXPIRES', value: key => timeOf(key.expiresAt) },
    { title: 'LAST SEEN', value: key => timeOf(key.lastUsedAt) },
    {
      title: 'STATUS',
      value: statusOf,
      paint: (text, key) => paintStatus[statusOf(key)](text),
    },
  ];
  const sorted = keys.toSorted(
    (left, right) =>
      Number(isValid(right)) - Number(isValid(left)) || right.createdAt.localeCompare(left.createdAt),
  );
  return table(sorted, columns, style);
}

/** The new key on a line of its own, so that it can be copied; then what it allows, and how to try it. */
export function newApiKeyText(
  apiKey: NewApiKey & { key: string },
  style: Style,
  baseUrl: string | undefined,
): string {
  const { key, expiresAt } = apiKey;
  const path = apiKey.scopes.includes('pets:read') ? '/pets' : undefined;
  return [
    style.bold(key),
    '',
    style.yellow(prose("You won't see this key again. Store it in a safe place now.", style)),
    '',
    `${style.dim('ID')}       ${apiKey.id}`,
    `${style.dim('Scopes')}   ${scopesOf(apiKey)}`,
    `${style.dim('Expires')}  ${expiresAt ? exactTime(expiresAt) : 'never'}`,
    ...(baseUrl && path
      ? ['', 'Try it:', '', `  curl -H 'Authorization: Bearer ${key}' ${baseUrl}${path}`]
      : []),
  ].join('\n');
}

export function quotedName({ name }: Pick<ApiKey, 'name'>): string {
  return `"${printable(name)}"`;
}

function scopesOf({ scopes }: ApiKey): string {
  return SCOPE_NAMES.every(scope => scopes.includes(scope)) ? 'all' : scopes.join(', ');
}
