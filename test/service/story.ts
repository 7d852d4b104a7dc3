import { beforeEach, describe } from 'vitest';

/** Tests of which each goes on from where the one before ended. After a failure the rest is skipped. */
export function story(title: string, tell: () => void): void {
  describe(title, { shuffle: false }, () => {
    let failed: string | undefined;
    beforeEach(({ task, skip, onTestFailed }) => {
      onTestFailed(() => {
        failed ??= task.name;
      });
      if (failed === undefined) return;
      Object.assign(task.meta, { needs: `what comes before it (${failed})` });
      skip();
    });
    tell();
  });
}
