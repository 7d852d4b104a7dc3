import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply } from '../../../shared/operator/contract.ts';
import type { operator } from '../../../shared/operator/operator.ts';

/** How tests ask an operator for something. */
export function asking(operate: ReturnType<typeof operator>) {
  /** What the operator returns for a command that has these fields. */
  const ask = (command: string, fields: object = {}): Promise<Reply> =>
    operate({ command, ...fields }, randomUUID());

  /** The result of a command that must be carried out. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into results that it knows.
  async function done(command: string, fields: object = {}): Promise<any> {
    const reply = await ask(command, fields);
    expect(reply).toMatchObject({ ok: true });
    return (reply as { result: unknown }).result;
  }
  return { ask, done };
}
