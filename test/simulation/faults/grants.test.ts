import { expect, test, vi } from 'vitest';
import { DEPLOYED, type DeployedFunction } from '../deployed.ts';
import { Violation } from '../invariants/claims.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import { type CalmRun, calmRun } from './calm-run.ts';

const { worker, operator, scheduled } = DEPLOYED.staging;
const FUNCTIONS = { worker, operator, ...scheduled };

/** Has each function do what it does when nothing goes wrong. */
async function live(run: CalmRun): Promise<void> {
  run.world.staging.hasDefaultUrls = true;
  await run.goLive({ domain: MANAGED_ZONE.name });
  await run.until(run.world.staging.run('ReconcileEndpoint'));
  await run.removeEverything();
}

/** Lets a function do what its role allows but this action. */
function withhold({ principal }: DeployedFunction, withheld: string) {
  const { denial } = principal;
  return vi
    .spyOn(principal, 'denial')
    .mockImplementation((action, ...rest) =>
      action === withheld ? `${action} is withheld` : denial(action, ...rest),
    );
}

test('whichever grant a role lacks of those that its function uses, it is a violation', async () => {
  const used = new Map<string, readonly [DeployedFunction, string]>();
  const spies = Object.entries(FUNCTIONS).map(([name, fn]) => {
    const { denial } = fn.principal;
    return vi.spyOn(fn.principal, 'denial').mockImplementation((action, ...rest) => {
      used.set(`${name} ${action}`, [fn, action]);
      return denial(action, ...rest);
    });
  });
  await live(calmRun());
  for (const spy of spies) spy.mockRestore();
  expect(used.size).toBeGreaterThan(40);
  const unnoticed: string[] = [];
  for (const [grant, [fn, action]] of used) {
    const spy = withhold(fn, action);
    const outcome = await live(calmRun()).catch((error: unknown) => error);
    if (!(outcome instanceof Violation)) unnoticed.push(grant);
    spy.mockRestore();
  }
  expect(unnoticed).toEqual([]);
});
