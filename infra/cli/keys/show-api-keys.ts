import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import type { ApiKey, NewApiKey } from '../../../shared/operator/contract.ts';
import { exactTime, relativeTime } from '../framework/readable-times.ts';
import { printable, prose, type Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

type Status = 'active' | 'expired' | 'revoked';

function statusOf({ revokedAt, expiresAt }: ApiKey, nowMs: number): Status {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}

/** The active keys come first; otherwise the newest ones do. */
export function apiKeyTable(keys: readonly ApiKey[], style: Style, nowMs: number): string {
  const timeOf = (time: string | null) => (time ? relativeTime(time, nowMs) : 'never');
  const paintStatus = { active: style.green, expired: style.yellow, revoked: style.red };
  const columns: Column<ApiKey>[] = [
    { title: 'ID', value: key => key.id },
    { title: 'NAME', value: key => key.name, canShrink: true, paint: style.bold },
    { title: 'KEY', value: key => key.hint },
    { title: 'SCOPES', value: key => scopesOf(key), canShrink: true },
    { title: 'CREATED', value: key => timeOf(key.createdAt) },
    { title: 'EXPIRES', value: key => timeOf(key.expiresAt) },
    { title: 'LAST USED', value: key => timeOf(key.lastUsedAt) },
    {
      title: 'STATUS',
      value: key => statusOf(key, nowMs),
      paint: (text, key) => paintStatus[statusOf(key, nowMs)](text),
    },
  ];
  const isActive = (key: ApiKey) => statusOf(key, nowMs) === 'active';
  const sorted = keys.toSorted(
    (left, right) =>
      Number(isActive(right)) - Number(isActive(left)) || right.createdAt.localeCompare(left.createdAt),
  );
  return table(sorted, columns, { width: style.width, paintTitle: style.dim });
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
    `${style.dim('Id')}       ${apiKey.id}`,
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
