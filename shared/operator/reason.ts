import type { RoutingRefusal } from '../projects/routing.ts';

/** The kind of an error. */
export type CommandErrorCode =
  | 'invalid_request'
  | 'not_found'
  | 'conflict'
  | 'unavailable'
  | 'internal_error';

/**
 * Why a command was refused, for programs; the message beside it says the same to people. A failure (code `unavailable`
 * or `internal_error`) has no reason.
 */
export type Reason =
  /** A field is missing, unknown or malformed. */
  | 'input_invalid'
  /** The id of what the command is about is missing or malformed. */
  | 'id_invalid'
  /** The operator function has no command of this name. */
  | 'command_unknown'
  /** The requestId was used before for another request. */
  | 'request_id_reused'
  /** Others kept changing the same thing: the same command may succeed when it is repeated. */
  | 'changed_meanwhile'
  | 'key_unknown'
  /** The API key is revoked or has expired. */
  | 'key_not_valid'
  /** The account has as many API Gateway keys as its quota allows. */
  | 'key_quota_reached'
  | 'order_unknown'
  /** The status of the order does not allow the step. */
  | 'order_status'
  | 'pet_unknown'
  /** The status of the animal does not allow the step. */
  | 'pet_status'
  | 'project_unknown'
  | 'project_exists'
  /** The project is not on a plan that has custom domains. */
  | 'plan_required'
  /** The plan cannot be lowered to free while the project has domains. */
  | 'project_has_domains'
  /** The project is published at an API of others, whose default endpoint this service does not close. */
  | 'endpoint_not_own'
  /** The project has never been deployed successfully. */
  | 'deploy_required'
  /** The environment has no platform domain, which custom domains point into. */
  | 'platform_domain_required'
  /** The platform domain does not lead to the environment's zone: its parent has to delegate it. */
  | 'platform_domain_not_delegated'
  | 'domain_unknown'
  /** The text is no name that a custom domain can have. */
  | 'domain_invalid'
  /** Another project has proven the name. */
  | 'domain_taken'
  /** The project has as many domains that are not verified as it may have. */
  | 'too_many_unverified_domains'
  /** The name exists at API Gateway, created by another environment or team of the account. */
  | 'domain_name_foreign'
  | 'removal_in_progress'
  | RoutingRefusal;
