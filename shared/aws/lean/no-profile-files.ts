/** The SDK looks for settings in a developer's profile files, which a function doesn't have. */
export function readFile(path: string): Promise<string> {
  return Promise.reject(new Error(`${path} is not read: a function has no profile.`));
}
