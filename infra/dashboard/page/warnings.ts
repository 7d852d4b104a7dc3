import { observable } from './observable.ts';

/** What a change in an environment could not do for something else that it concerns. */
export interface Warnings {
  readonly stage: string;
  readonly sentences: readonly string[];
}

/** The warnings of the latest change that had some, until they are dismissed. */
export const warnings = observable<Warnings | undefined>(undefined);

export function warn(stage: string, sentences: readonly string[]): void {
  warnings.set({ stage, sentences });
}
