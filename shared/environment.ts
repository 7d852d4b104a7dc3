/** The value of an environment variable that may be absent. */
export function optional(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** The value of an environment variable that the function cannot work without. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
