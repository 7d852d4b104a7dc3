/** An answer of an AWS API that is an error, by the name its clients know it by. */
export class AwsApiError<Name extends string> extends Error {
  override readonly name: Name;

  constructor(name: Name, message: string) {
    super(message);
    this.name = name;
  }
}
