import * as z from 'zod/mini';
import { Scope } from '../api-keys/api-key-record.ts';
import { OrderStatus } from '../orders/order.ts';
import {
  DeployState,
  displayName,
  NewProjectId,
  Plan,
  ProjectId,
  ProjectName,
  RedirectStatus,
  WhileLive,
} from '../projects/project.ts';
import { DEFAULT_REDIRECT_STATUS, SERVICE_PROJECT_ID } from '../projects/project-choices.ts';
import type { CommandName } from './contract.ts';

const Text = z.string('must be text');
const Flag = z.boolean('must be true or false');

function count(most: number) {
  const range = `must be from 1 to ${most}`;
  return z.int('must be a whole number').check(z.gte(1, range), z.lte(most, range));
}

/** The most entries of a list, and of a list with short entries. */
const ListLimit = count(500);
const PageSize = count(5000);

/** The fields of a list that is read whole, or in pages if it may be too large for one response. */
const page = { after: z.optional(Text), limit: z.optional(PageSize) };

const KeyId = Text.check(
  z.regex(/^key_[0-9a-f]{24}$/, 'must be a key ID, such as key_0123456789abcdef01234567'),
);
const Expiry = z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' });
const Scopes = z.array(Scope, 'must be a list of scopes').check(
  z.minLength(1, 'must name at least one scope'),
  z.refine(scopes => new Set(scopes).size === scopes.length, 'must name each scope once'),
);
const LONGEST_OVERLAP_HOURS = 30 * 24;
const OVERLAP = `must be from 0 to ${LONGEST_OVERLAP_HOURS} hours`;
const Overlap = z
  .number('must be a number of hours')
  .check(z.gte(0, OVERLAP), z.lte(LONGEST_OVERLAP_HOURS, OVERLAP));

/** Ids that this service assigns stay below 2^53, so a JSON number holds them exactly. */
const NUMBER = 'must be the ID of an order or a pet';
const NumberId = z.int(NUMBER).check(z.gte(1, NUMBER));
const order = z.strictObject({ id: NumberId });

const GatewayName = Text.check(
  z.regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be 1–128 letters, digits, underscores or hyphens'),
);

/** A name of a domain or a project; which ones are valid depends on the environment. */
const Name = Text.check(z.regex(/^\S{1,255}$/, 'must be 1–255 characters, without spaces'));
const ofProject = { project: z._default(Name, SERVICE_PROJECT_ID) };
const domainFields = { ...ofProject, domain: Name };
const domain = z.strictObject(domainFields);
const nothing = z.strictObject({});

/**
 * What each command takes: the operator function checks it, and the callers' types and choices follow from it. Defaults that
 * depend on the environment are in the command.
 */
export const INPUTS = {
  'keys.list': z.strictObject({ ...page, compare: z.optional(Flag) }),
  'keys.create': z.strictObject({
    name: displayName(100),
    expiresAt: z.optional(Expiry),
    scopes: z.optional(Scopes),
  }),
  'keys.revoke': z.strictObject({ id: KeyId }),
  'keys.forget': z.strictObject({ id: KeyId }),
  'keys.rotate': z.strictObject({ id: KeyId, overlapHours: Overlap }),
  'keys.reconcile': nothing,
  'keys.withdraw': nothing,

  'orders.list': z.strictObject({
    status: z.optional(OrderStatus),
    /** The ID of the last order on the previous page. */
    before: z.optional(NumberId),
    limit: z._default(PageSize, 50),
  }),
  'orders.place': z.strictObject({ petId: NumberId }),
  'orders.approve': order,
  'orders.deliver': order,
  'orders.cancel': order,

  'pets.rehearse': z.strictObject({ keyId: KeyId, idempotencyKey: displayName(255) }),

  'projects.list': nothing,
  'projects.show': z.strictObject({ id: ProjectId }),
  'projects.create': z.strictObject({
    id: NewProjectId,
    name: z.optional(ProjectName),
    plan: z._default(Plan, 'free'),
    /** Where it is published, by default at the API of the service. */
    apiId: z.optional(GatewayName),
    stage: z.optional(GatewayName),
  }),
  /** Null removes the name. */
  'projects.rename': z.strictObject({ id: ProjectId, name: z.nullable(ProjectName) }),
  'projects.plan': z.strictObject({ id: ProjectId, plan: Plan }),
  'projects.deployed': z.strictObject({ id: ProjectId, state: z._default(DeployState, 'succeeded') }),
  'projects.endpoint': z.strictObject({ id: ProjectId, whileLive: WhileLive }),
  'projects.withdraw': nothing,

  'domains.list': z.strictObject({
    ...ofProject,
    after: z.optional(Name),
    limit: z._default(ListLimit, 500),
  }),
  'domains.summary': z.strictObject(page),
  'domains.show': domain,
  'domains.look': domain,
  'domains.check': domain,
  'domains.link': domain,
  'domains.unlink': domain,
  'domains.add': z.strictObject({
    ...domainFields,
    /** The domain is in use; it's prepared first, and its traffic is switched last. */
    switchLater: z._default(Flag, false),
    /** The apex and its www are added together, and the one that isn't named redirects to the other when both are live. */
    withWww: z._default(Flag, false),
  }),
  'domains.verify': domain,
  'domains.remove': domain,
  'domains.move': z.strictObject({ ...domainFields, to: Name, alone: z._default(Flag, false) }),
  'domains.primary': domain,
  'domains.redirect': z.strictObject({
    ...domainFields,
    to: Name,
    status: z._default(RedirectStatus, DEFAULT_REDIRECT_STATUS),
  }),
  'domains.unredirect': domain,

  'environment.inspect': nothing,

  'audit.list': z.strictObject({
    limit: z._default(ListLimit, 50),
    /** Leaves out later changes. */
    until: z.optional(z.iso.datetime('must be a time such as 2030-01-31T12:00:00Z')),
    /** Leaves out the results, which are most of an entry. */
    brief: z.optional(Flag),
  }),
} satisfies Record<CommandName, z.ZodMiniObject>;

type Inputs = typeof INPUTS;

/** What a caller sends. A field with `?` may be left out. */
export type InputOf<Name extends CommandName> = z.input<Inputs[Name]>;
/** What the command gets: checked, with defaults. */
export type CheckedInputOf<Name extends CommandName> = z.output<Inputs[Name]>;
