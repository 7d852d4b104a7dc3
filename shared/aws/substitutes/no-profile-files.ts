/**
 * Replaces node:fs/promises in the bundles, by which the SDK looks for settings in the profile files of a developer. A
 * function has no such files; to look for them takes 4 ms of a cold start.
 */
export function readFile(path: string): Promise<string> {
  return Promise.reject(new Error(`${path} is not read: a function has no profile.`));
}
