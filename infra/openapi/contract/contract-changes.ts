import { type Contract, type Part, partOf } from './contract-document.ts';
import { isUnstable, type Operation, OperationChanges } from './operation-changes.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What clients of the released contract lose by the current one, a sentence each. Nothing, if the major version has
 * risen. The day is today, such as `2026-11-15`: an operation may go on the day that was announced for it.
 */
export function contractChanges(released: Contract, current: Contract, day: string): string[] {
  const [major, majorNow] = [majorOf(released), majorOf(current)];
  if (majorNow > major) return [];
  return [
    ...(majorNow < major ? [`version: was ${released.info.version} and is ${current.info.version} now`] : []),
    ...lossesOf(released, current, day),
  ];
}

function* lossesOf(released: Contract, current: Contract, day: string): Generator<string> {
  const urls = serverUrlsOf(current);
  for (const url of serverUrlsOf(released)) if (!urls.includes(url)) yield `server ${url}: is removed`;
  const changes = new OperationChanges(released, current);
  const operations = operationsOf(current);
  for (const [name, operation] of operationsOf(released)) {
    if (isUnstable(operation.part)) continue;
    const now = operations.get(name);
    if (now) yield* changes.between(operation, now);
    else yield* removal(operation, day);
  }
}

function* removal({ name, part }: Operation, day: string): Generator<string> {
  const sunset = part['x-deprecated-sunset'];
  if (sunset === undefined) yield `${name}: the operation is removed`;
  else if (day < String(sunset))
    yield `${name}: the operation is removed before ${sunset}, which was announced`;
}

/** Throws for a version that is not of the form 1.2.3: a comparison with NaN would let everything pass. */
function majorOf({ info: { version } }: Contract): number {
  const major = /^(\d+)\.\d+\.\d+/.exec(version)?.[1];
  if (major === undefined)
    throw new Error(`The version ${version} of the document is not of the form 1.2.3.`);
  return Number(major);
}

const serverUrlsOf = ({ servers = [] }: Contract) =>
  (servers as readonly Part[]).map(({ url }) => String(url));

function operationsOf(contract: Contract): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  const paths = partOf(contract, 'paths');
  for (const path of Object.keys(paths)) {
    const item = partOf(paths, path);
    const shared = (item.parameters ?? []) as readonly unknown[];
    for (const method of METHODS) {
      if (!Object.hasOwn(item, method)) continue;
      const name = `${method.toUpperCase()} ${path}`;
      operations.set(name, { name, part: partOf(item, method), shared });
    }
  }
  return operations;
}
