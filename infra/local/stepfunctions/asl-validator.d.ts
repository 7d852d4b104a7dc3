declare module 'asl-validator' {
  function validate(definition: object): { isValid: boolean; errorsText(separator: string): string };
  export = validate;
}
