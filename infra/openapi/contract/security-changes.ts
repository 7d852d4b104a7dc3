import { isDeepStrictEqual } from 'node:util';
import { dereference, type Part, partOf } from './contract-document.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** What an operation asks of the caller's key: a client that is let in today must be let in tomorrow. */
export function* securityChanges(
  released: Part,
  current: Part,
  before: Part,
  after: Part,
  name: string,
): Generator<string> {
  const [scope, scopeNow] = [before['x-required-scope'], after['x-required-scope']];
  if (scopeNow !== undefined && scopeNow !== scope) {
    yield `${name}: the required scope was ${scope ?? 'absent'} and is ${scopeNow} now`;
  }
  const alternatives = requirementsOf(current, after);
  for (const requirement of requirementsOf(released, before)) {
    if (!alternatives.some(alternative => isMetBy(alternative, requirement))) {
      yield `${name}: ${described(requirement)} is no longer enough`;
    }
    for (const scheme of Object.keys(requirement)) {
      if (!isDeepStrictEqual(schemeOf(released, scheme), schemeOf(current, scheme))) {
        yield `${name}: the security scheme ${scheme} is changed`;
      }
    }
  }
}

/** Each of them alone lets a client in. An operation without any is open to everybody. */
function requirementsOf(contract: Part, operation: Part): readonly Requirement[] {
  const requirements = (operation.security ?? contract.security ?? []) as readonly Requirement[];
  return requirements.length > 0 ? requirements : [{}];
}

/** Whether a client that meets the released requirement meets this one as well. */
function isMetBy(requirement: Requirement, released: Requirement): boolean {
  return Object.entries(requirement).every(
    ([scheme, scopes]) =>
      scopes.every(scope => released[scheme]?.includes(scope)) && Object.hasOwn(released, scheme),
  );
}

function described(requirement: Requirement): string {
  const parts = Object.entries(requirement).map(([scheme, scopes]) => [scheme, ...scopes].join(' '));
  return parts.length > 0 ? `the security requirement ${parts.join(' with ')}` : 'a request without a key';
}

/** A scheme without what it says to people about the form of its tokens. */
function schemeOf(contract: Part, name: string): Part {
  const schemes = partOf(partOf(contract, 'components'), 'securitySchemes');
  const { bearerFormat: _, ...scheme } = dereference(contract, schemes[name]);
  return scheme;
}
