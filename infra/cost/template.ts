/** A resource of a synthesized template. */
export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are read by property names that CloudFormation documents.
  readonly Properties: Record<string, any>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
}

/** The resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): [id: string, resource: TemplateResource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

/** The function whose logical id starts with the name of its constructs, such as PetsCreatePet. */
export function functionOf(template: Template, name: string): TemplateResource {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(([id]) =>
    id.startsWith(`${name}Function`),
  );
  if (found === undefined) throw new Error(`The template has no function ${name}.`);
  return found[1];
}
