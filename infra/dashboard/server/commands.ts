import type { Changes, Reads } from '../../../shared/operator/contract.ts';

/** The commands of the contract but that of `petstore doctor`. The compiler rejects this table when the contract has another one. */
const READS: Readonly<Record<Exclude<keyof Reads, 'environment.inspect'>, 'read'>> = {
  'audit.list': 'read',
  'domains.list': 'read',
  'domains.show': 'read',
  'keys.list': 'read',
  'orders.list': 'read',
  'projects.list': 'read',
  'projects.show': 'read',
};

/** Withdrawing all keys is a step of a teardown, which is done by the command alone. */
const CHANGES: Readonly<Record<Exclude<keyof Changes, 'keys.withdraw'>, 'change'>> = {
  'domains.add': 'change',
  'domains.primary': 'change',
  'domains.redirect': 'change',
  'domains.remove': 'change',
  'domains.unredirect': 'change',
  'domains.verify': 'change',
  'keys.create': 'change',
  'keys.reconcile': 'change',
  'keys.revoke': 'change',
  'keys.rotate': 'change',
  'orders.approve': 'change',
  'orders.cancel': 'change',
  'orders.deliver': 'change',
  'orders.place': 'change',
  'projects.create': 'change',
  'projects.deployed': 'change',
  'projects.endpoint': 'change',
  'projects.plan': 'change',
};

export const COMMANDS = { ...READS, ...CHANGES };

/** Whether a name from outside is a command that the page may send. */
export function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}
