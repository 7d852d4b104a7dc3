/** An account on a virtual clock, for simulations. */
export { type Certificate, covers } from './acm/certificates.ts';
export { allowsAmazon, type CaaRecord, validationOf } from './acm/dns-validation.ts';
export { type DomainName, regionalDomainName } from './apigateway-control/domain-names.ts';
export type { Resource } from './cloudformation/resource-type.ts';
export type { Question, Reply } from './dns/dns-message.ts';
export type { AwsEvent } from './events/rules.ts';
export { GrantLedgerFile, type RoleCall } from './iam/grant-ledger.ts';
export type { Principal } from './iam/principal.ts';
export { declaredRoles } from './iam/roles.ts';
export { functionArn } from './lambda/function-configuration.ts';
export { recordData } from './route53/record-set.ts';
export type { RecordChange } from './simulation/account-zones.ts';
export { type Call, type calls, type Fate, ONE_ATTEMPT, type ServiceName } from './simulation/calls.ts';
export { derived, type ItemWrite, type TableItems } from './simulation/dynamodb.ts';
export type { Item } from './simulation/dynamodb-expressions.ts';
export { AWS_POOL, addressOf, type OwnerRecordType, type VirtualDns } from './simulation/public-dns.ts';
export { Random } from './simulation/random.ts';
export { VirtualAws } from './simulation/virtual-aws.ts';
export {
  type Actor,
  DAY_MS,
  divertTimers,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type VirtualTime,
} from './simulation/virtual-time.ts';
export { CALM, OK, type Weather, weatherOf } from './simulation/weather.ts';
export { declaredStateMachines } from './stepfunctions/state-machines.ts';
