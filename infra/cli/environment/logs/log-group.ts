/** A log group of an environment. */
export interface LogGroup {
  /** The name at CloudWatch Logs, such as Petstore-Staging-PetsCreatePetLogsE3D99F62-Ab3dEf6hIj9k. */
  readonly name: string;
  /** The name for people, such as pets-create-pet. */
  readonly title: string;
  /** Whether it is the access log of an API. */
  readonly isAccessLog: boolean;
}

/**
 * The logical id of a log group in its name: what the constructs are called, `Logs`, and eight digits by CDK. CloudFormation
 * adds the name of the stack before it and random characters after it.
 */
const LOGICAL_ID = /^([A-Za-z0-9]+?)Logs[0-9A-F]{8}(?:-[A-Za-z0-9]+)?$/;

/** The log groups of a stack. A group that is not named after a construct keeps its name. */
export function logGroupsOf(names: readonly string[], stackName: string): LogGroup[] {
  return names
    .map(name => {
      const [, path] = LOGICAL_ID.exec(name.slice(`${stackName}-`.length)) ?? [];
      return { name, title: path ? kebabCase(path) : name, isAccessLog: path?.endsWith('Access') ?? false };
    })
    .toSorted((left, right) => left.title.localeCompare(right.title));
}

/** Whether a group is meant by a text: its name, its title or a part of the title, in any spelling of its words. */
export function isCalled({ name, title }: LogGroup, text: string): boolean {
  return name === text || `-${title}-`.includes(`-${kebabCase(text)}-`);
}

/** `PetsCreatePet` and `createPet` become pets-create-pet and create-pet. */
export function kebabCase(text: string): string {
  return text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}
