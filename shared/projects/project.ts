import * as z from 'zod/mini';
import { DEPLOY_STATES, PLANS, REDIRECT_STATUSES, WHILE_LIVE_CHOICES } from './project-choices.ts';

export const RedirectStatus = z.literal(REDIRECT_STATUSES, `must be one of ${REDIRECT_STATUSES.join(', ')}`);
export type RedirectStatus = z.infer<typeof RedirectStatus>;

const Redirect = z.object({ from: z.string(), to: z.string(), status: RedirectStatus });
export type Redirect = z.infer<typeof Redirect>;

/**
 * Which domain does what for a project. `liveDomains` are served, in the order they went live. `primary` and `redirects` are
 * roles: a domain keeps its roles until it is removed, even while it isn't live. The primary doesn't redirect, and a redirect
 * leads to a domain that doesn't redirect itself, so there are neither loops nor chains. Only roles of live domains are in
 * effect (activeRedirect, livePrimary): a domain whose target isn't live serves the project itself. `awayDomains` are live
 * domains whose visitors end up elsewhere, by their last check: nobody is sent there (activeRedirect, reachedPrimary).
 */
export const Routing = z.object({
  liveDomains: z.array(z.string()),
  primary: z.nullable(z.string()),
  redirects: z.array(Redirect),
  awayDomains: z.optional(z.array(z.string())),
});
export type Routing = z.infer<typeof Routing>;

export const Plan = z.enum(PLANS, `must be one of ${PLANS.join(', ')}`);
export type Plan = z.infer<typeof Plan>;

export const DeployState = z.enum(DEPLOY_STATES, `must be one of ${DEPLOY_STATES.join(', ')}`);
export type DeployState = z.infer<typeof DeployState>;

export const ProjectId = z
  .string('must be text')
  .check(
    z.regex(
      /^[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
      'must be 2–63 lowercase letters, digits or hyphens, beginning with a letter and not ending with a hyphen',
    ),
  );

/**
 * Labels that people or programs would take for the platform's own: its pages, mail, servers and environments, and names that
 * mail clients and browsers look up automatically. Trailing digits change nothing: www2, ns1.
 */
const OFFICIAL_LABELS = (
  'www api apps domains admin administrator root system internal console dashboard portal login logout ' +
  'signin signup auth oauth sso account accounts password verify support help helpdesk billing ' +
  'invoice pay payment payments security secure ssl status docs legal privacy abuse noreply ' +
  'postmaster hostmaster webmaster mail email webmail smtp imap pop mx ns dns ftp ssh vpn proxy ' +
  'gateway cdn static assets default staging production localhost mta-sts wpad isatap autodiscover autoconfig'
).split(' ');

/**
 * The id of a new project, which is the first label of its default URL. A label of 20 hexadecimal digits is a custom
 * domain's host, and labels with `--` in third and fourth place are read as international names.
 */
export const NewProjectId = ProjectId.check(
  z.refine(
    id => !/^[0-9a-f]{20}$/.test(id),
    'must not be 20 hexadecimal digits: these are reserved for custom domains',
  ),
  z.refine(id => !/^..--/.test(id), 'must not have -- as its third and fourth characters'),
  z.refine(
    id => !OFFICIAL_LABELS.includes(id.replace(/-?[0-9]+$/, '')),
    'must not look like a name of the platform itself',
  ),
);

export const ProjectName = displayName(64);

export const WhileLive = z.enum(WHILE_LIVE_CHOICES, `must be one of ${WHILE_LIVE_CHOICES.join(', ')}`);
export type WhileLive = z.infer<typeof WhileLive>;

/** Something that is published at an API and its stage. Times are RFC 3339, in UTC. */
export const Project = z.object({
  id: ProjectId,
  /** Its display name; null to show the id. */
  name: z._default(z.nullable(z.string()), null),
  plan: Plan,
  /** The last deploy, and the last successful one: a later failure doesn't unpublish the project. */
  deploy: z.object({
    state: DeployState,
    at: z.nullable(z.string()),
    succeededAt: z.nullable(z.string()),
  }),
  apiId: z.string(),
  stage: z.string(),
  createdAt: z.string(),
  whileLive: WhileLive,
  ...Routing.shape,
});
export type Project = z.infer<typeof Project>;

/**
 * Table: partition key `id` (S). The other attributes are the fields of Project, all text; `deployState`, `deployedAt`
 * and `succeededAt` hold what Project has under `deploy`, `name` is absent if it is null, `routing` (M) is its Routing, absent at first. `awayDomains`
 * (SS) is absent while there are none. `writeToken` identifies the write that added the project, for a
 * retry whose first response was lost.
 */
export const PROJECTS_TABLE = { partitionKey: 'id' } as const;

/**
 * A display name, in any script. Marks that change the writing direction would reorder the text around it (Arabic and Hebrew
 * don't need them), and a name of only invisible characters couldn't be clicked.
 */
export function displayName(most: number) {
  return z
    .string('must be text')
    .check(
      z.trim(),
      z.normalize('NFC'),
      z.regex(
        new RegExp(
          `^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufffd]{1,${most}}$`,
          'u',
        ),
        `must be 1–${most} characters on one line, in any script, without control or text-direction characters`,
      ),
    );
}
