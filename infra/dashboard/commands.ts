import type { Changes, CommandName, Reads } from '../../shared/operator/contract.ts';

/** Every command of the contract. The compiler rejects this table when the contract has another one. */
const READS: Readonly<Record<keyof Reads, 'read'>> = {
  'audit.list': 'read',
  'domains.list': 'read',
  'domains.show': 'read',
  'keys.list': 'read',
  'projects.list': 'read',
  'projects.show': 'read',
};

const CHANGES: Readonly<Record<keyof Changes, 'change'>> = {
  'domains.add': 'change',
  'domains.primary': 'change',
  'domains.redirect': 'change',
  'domains.remove': 'change',
  'domains.unredirect': 'change',
  'domains.verify': 'change',
  'keys.create': 'change',
  'keys.revoke': 'change',
  'keys.rotate': 'change',
  'orders.approve': 'change',
  'orders.cancel': 'change',
  'orders.deliver': 'change',
  'orders.place': 'change',
  'projects.create': 'change',
  'projects.deployed': 'change',
  'projects.plan': 'change',
};

export const COMMANDS = { ...READS, ...CHANGES };

/** Whether a name from outside is a command that the page may send. */
export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
