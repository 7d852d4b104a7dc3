/** The SDK looks for settings in the profile files of a developer, which a function does not have. */
export function readFile(path: string): Promise<string> {
  return Promise.reject(new Error(`${path} is not read: a function has no profile.`));
}
