declare module 'asl-validator' {
  function validate(
    definition: object,
    options: { checkPaths: boolean; checkArn: boolean },
  ): { isValid: boolean; errorsText(separator: string): string };
  export = validate;
}
