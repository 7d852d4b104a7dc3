import { appendFileSync } from 'node:fs';
import * as z from 'zod';

/** Calls of a role that one grant allowed, or that none did. A ledger has several lines for the same grant. */
const LedgerLine = z.strictObject({
  stack: z.string(),
  /** The logical id of the role. */
  role: z.string(),
  /** The action and the resource of the first of these calls. */
  action: z.string(),
  resource: z.string(),
  /** The patterns of the policy that allowed the calls; absent when the calls were denied. */
  grant: z.strictObject({ action: z.string(), resource: z.string() }).optional(),
  times: z.int(),
});
export type LedgerLine = z.output<typeof LedgerLine>;

/** A call that a role was allowed or denied. */
export type RoleCall = Omit<LedgerLine, 'times'>;

/** Records the calls of every role. */
export interface GrantLedger {
  record(call: RoleCall): void;
}

/**
 * A ledger in a file of JSON lines, which several processes may append to. The first call by a grant is written at once,
 * so that a process that is killed loses counts only; the others are written as one number when the ledger is closed.
 */
export class GrantLedgerFile implements GrantLedger {
  readonly #file: string;
  readonly #unwritten = new Map<string, { readonly call: RoleCall; times: number }>();

  constructor(file: string) {
    this.#file = file;
  }

  record(call: RoleCall): void {
    const { stack, role, grant, action, resource } = call;
    const key = JSON.stringify([stack, role, grant ?? { action, resource }, grant === undefined]);
    const known = this.#unwritten.get(key);
    if (known !== undefined) {
      known.times++;
      return;
    }
    this.#unwritten.set(key, { call, times: 0 });
    this.#append([{ ...call, times: 1 }]);
  }

  close(): void {
    const repeated = [...this.#unwritten.values()].filter(({ times }) => times > 0);
    this.#append(repeated.map(({ call, times }) => ({ ...call, times })));
    this.#unwritten.clear();
  }

  #append(lines: readonly LedgerLine[]): void {
    if (lines.length > 0) appendFileSync(this.#file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  }
}

/** The lines of a ledger's text. */
export function readLedger(text: string): LedgerLine[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => LedgerLine.parse(JSON.parse(line)));
}
