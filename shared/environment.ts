/** Reads an environment variable; undefined if it is not set. */
export type Variables = (name: string) => string | undefined;

export const processVariables: Variables = name => process.env[name];

/** The value of an environment variable that the function can't work without. */
export function required(name: string, variables: Variables = processVariables): string {
  const value = variables(name);
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
