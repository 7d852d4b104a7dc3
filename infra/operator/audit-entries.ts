import type { AuditEntry, ChangeName } from '../../shared/operator/contract.ts';

type Said = Pick<AuditEntry, 'command' | 'input'>;
type Fields = Readonly<Record<string, unknown>>;

const DOES: Readonly<Record<string, string>> = {
  redirect: 'redirect',
  serve: 'serve the project',
  closed: 'respond with 403',
};

/** What a change did, as a sentence. `used` are the fields that it names, which need not be listed again. */
const SENTENCES: Readonly<
  Record<ChangeName, { readonly used: readonly string[]; say(input: Fields): string }>
> = {
  'keys.create': { used: ['name'], say: ({ name }) => `Created an API key for ${name}` },
  'keys.revoke': { used: ['id'], say: ({ id }) => `Revoked the API key ${id}` },
  'keys.forget': { used: ['id'], say: ({ id }) => `Deleted the record of the API key ${id}` },
  'keys.rotate': { used: ['id'], say: ({ id }) => `Rotated the API key ${id}` },
  'keys.reconcile': { used: [], say: () => 'Synced API Gateway with the API keys' },
  'keys.withdraw': { used: [], say: () => 'Removed all API keys from API Gateway' },
  'orders.place': { used: ['petId'], say: ({ petId }) => `Placed an order for pet ${petId}` },
  'orders.approve': { used: ['id'], say: ({ id }) => `Approved order ${id}` },
  'orders.deliver': { used: ['id'], say: ({ id }) => `Delivered order ${id}` },
  'orders.cancel': { used: ['id'], say: ({ id }) => `Canceled order ${id}` },
  'pets.rehearse': { used: ['keyId'], say: ({ keyId }) => `Rehearsed createPet with the API key ${keyId}` },
  'projects.create': { used: ['id'], say: ({ id }) => `Created project ${id}` },
  'projects.rename': {
    used: ['id', 'name'],
    say: ({ id, name }) =>
      typeof name === 'string'
        ? `Renamed project ${id} to ${name}`
        : `Removed the display name of project ${id}`,
  },
  'projects.plan': { used: ['id', 'plan'], say: ({ id, plan }) => `Changed the plan of ${id} to ${plan}` },
  'projects.deployed': {
    used: ['id', 'state'],
    say: ({ id, state }) =>
      state === 'none'
        ? `Cleared the last deploy of ${id}`
        : `Recorded a ${state === 'failed' ? 'failed' : 'successful'} deploy of ${id}`,
  },
  'projects.endpoint': {
    used: ['id', 'whileLive'],
    say: ({ id, whileLive }) => `Set the default URL of ${id} to ${DOES[String(whileLive)] ?? whileLive}`,
  },
  'projects.withdraw': { used: [], say: () => 'Removed the default URLs of all projects' },
  'domains.add': { used: ['domain'], say: ({ domain }) => `Added ${domain}` },
  'domains.unlink': { used: ['domain'], say: ({ domain }) => `Ended the links to the page of ${domain}` },
  'domains.verify': { used: ['domain'], say: ({ domain }) => `Started verifying ${domain}` },
  'domains.remove': { used: ['domain'], say: ({ domain }) => `Removed ${domain}` },
  'domains.move': { used: ['domain', 'to'], say: ({ domain, to }) => `Moved ${domain} to project ${to}` },
  'domains.primary': { used: ['domain'], say: ({ domain }) => `Made ${domain} the primary domain` },
  'domains.redirect': {
    used: ['domain', 'to'],
    say: ({ domain, to }) => `Redirected ${domain} to ${to}`,
  },
  'domains.unredirect': { used: ['domain'], say: ({ domain }) => `Stopped redirecting ${domain}` },
};

/** A Map takes any name: a later version may have written the entry. */
const sentences = new Map<string, (typeof SENTENCES)[ChangeName]>(Object.entries(SENTENCES));

/** What was changed, in words. A command of a later version is named as it is. */
export function sentenceOf({ command, input }: Said): string {
  return sentences.get(command)?.say((input ?? {}) as Fields) ?? command;
}

/** The input's fields that the sentence doesn't name, as names and texts, without options that weren't used. */
export function fieldsOf({ command, input }: Said): [name: string, value: string][] {
  if (typeof input !== 'object' || input === null) return [];
  const used = sentences.get(command)?.used ?? [];
  return Object.entries(input)
    .filter(
      ([name, value]) => !used.includes(name) && value !== null && value !== undefined && value !== false,
    )
    .map(([name, value]) => [labels.get(name) ?? name, typeof value === 'string' ? value : textOf(value)]);
}

const labels = new Map(
  Object.entries({
    expiresAt: 'expires',
    overlapHours: 'overlap in hours',
    withWww: 'with www',
    switchLater: 'switch later',
    apiId: 'API',
  }),
);

function textOf(value: unknown): string {
  if (value === true) return 'yes';
  return Array.isArray(value) ? value.map(String).join(', ') : JSON.stringify(value);
}
