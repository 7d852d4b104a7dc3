import type { Principal } from '../../../../infra/local/iam/principal.ts';

/** A principal that may do everything, and what it was asked: each permission with the condition keys of its request. */
export function recordingPrincipal() {
  const asked: { permission: string; keys: unknown }[] = [];
  const principal: Principal = {
    denial: (action, resource, context) => {
      asked.push({ permission: `${action} ${resource}`, keys: context?.keys });
      return undefined;
    },
  };
  return { principal, asked };
}
