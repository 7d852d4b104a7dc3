/** A resource of a deployed stack: every intrinsic function in its properties has been replaced by its value. */
export interface Resource {
  /** Name of the stack that declares it, such as Petstore-Staging. */
  readonly stack: string;
  readonly logicalId: string;
  /** The CloudFormation type, such as AWS::Lambda::Function. */
  readonly type: string;
  /** What Ref gives for it. */
  readonly physicalId: string;
  readonly properties: Readonly<Record<string, unknown>>;
}
