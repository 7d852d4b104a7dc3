import type { Write } from '../../../shared/aws/transaction.ts';

/** What a write does to a store in memory. */
interface Effect {
  /** The item that is written: a transaction may write each only once. */
  readonly key: string;
  holds(): boolean;
  apply?(): void;
}

interface KeptWrite extends Write {
  readonly effect: Effect;
}

/** A write to a store in memory, which `commitKept` carries out. */
export function keptWrite(effect: Effect, refusal: () => Error | undefined = () => undefined): KeptWrite {
  return { item: {}, refusal, effect };
}

/** Commits all writes or none, as a transaction does. Throws the refusal of the first whose condition does not hold. */
export async function commitKept(writes: readonly Write[]): Promise<void> {
  const effects = writes.map(write => {
    if ('effect' in write) return write as KeptWrite;
    throw new Error('This is a write to no store in memory.');
  });
  const keys = effects.map(({ effect }) => effect.key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new Error(`A transaction writes ${twice} twice.`);
  const refused = effects.find(({ effect }) => !effect.holds());
  if (refused)
    throw refused.refusal(undefined) ?? new Error(`The write of ${refused.effect.key} is refused.`);
  for (const { effect } of effects) effect.apply?.();
}
