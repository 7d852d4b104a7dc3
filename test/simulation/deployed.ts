/** What the stacks of the cloud assembly declare, as it is deployed. */
import { declaredRoles } from '../../infra/local/iam/roles.ts';
import { functionArn } from '../../infra/local/lambda/function-configuration.ts';
import { declaredStateMachines } from '../../infra/local/stepfunctions/state-machines.ts';
import { readResources, resourceNamed } from '../../infra/local/template.ts';
import { required } from '../../shared/environment.ts';

const STACKS = { staging: 'Petstore-Staging', production: 'Petstore-Production' } as const;

/** A function, as its stack declares it. */
interface DeployedFunction {
  readonly arn: string;
  readonly timeoutMs: number;
}

const resourcesOf = (stack: string) => readResources(required('SIMULATION_ASSEMBLY'), stack);

function deployed(stack: string) {
  const resources = resourcesOf(stack);
  const fn = (construct: string): DeployedFunction => {
    const { physicalId, properties } = resourceNamed(
      resources,
      'AWS::Lambda::Function',
      `${construct}Function`,
    );
    return { arn: functionArn(physicalId), timeoutMs: Number(properties.Timeout) * 1000 };
  };
  return {
    worker: fn('DomainFlowTendDomain'),
    operator: fn('OperatorOperate'),
    /** The functions that run on a schedule. */
    scheduled: {
      ReconcileDomains: fn('DomainChecksReconcileDomains'),
      ReconcileEndpoint: fn('ProjectsReconcileEndpoint'),
      PublishEvents: fn('DomainEventsPublishEvents'),
    },
    /** The ARN of the state machine that tends a domain. */
    tendMachine: resourceNamed(resources, 'AWS::StepFunctions::StateMachine', 'DomainFlowTend').physicalId,
  };
}

export const DEPLOYED = { staging: deployed(STACKS.staging), production: deployed(STACKS.production) };

export const STATE_MACHINES = Object.values(STACKS).flatMap(stack => {
  const resources = resourcesOf(stack);
  return declaredStateMachines(resources, declaredRoles(resources));
});
