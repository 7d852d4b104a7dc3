/** Where an operation of a REST API of AWS is found. */
export interface Route<Operation> {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

/** The routes to operations that are named like `GET /domainnames/{domainName}`, below a prefix that all of them share. */
export function routesTo<Operation>(
  operations: Readonly<Record<string, Operation>>,
  prefix = '',
): readonly Route<Operation>[] {
  return Object.entries(operations).map(([key, operation]) => {
    const [method = '', path = ''] = key.split(' ');
    const pattern = new RegExp(`^${prefix}${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    return { method, pattern, operation };
  });
}
