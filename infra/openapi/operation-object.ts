import * as z from 'zod/mini';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { ErrorCode } from '../../shared/errors.ts';
import { missingScope } from '../../shared/errors.ts';
import type { OperationDeclaration } from '../../shared/operation-declaration.ts';
import { DEPRECATION_HEADERS, errorResponses, type HeaderComponents, headers } from './responses.ts';
import { samplesOf } from './samples.ts';

export const OPERATIONS_TAG = 'animals';

type Examples = Record<string, { readonly summary: string; readonly value: unknown }>;

/** What the document says about an operation beyond its declaration. */
export interface OperationTexts {
  readonly summary: string;
  /** What the operation does. Deprecation, stability and scope are added from the declaration. */
  readonly description: string;
  /** How the successor of a deprecated operation replaces it, such as "with the `status` filter". */
  readonly successorHint?: string;
  /** Whether the reference page offers to try the operation out. */
  readonly hasTryOut?: boolean;
  /** How petstore-client calls it, such as `pets.list()`. */
  readonly client: string;
  readonly body?: { readonly description: string; readonly examples: Examples };
  readonly success: {
    readonly description: string;
    readonly headers?: HeaderComponents;
    /** None for a response without a body. */
    readonly content?: { readonly schema: z.ZodMiniType; readonly examples: Examples };
  };
  /** Example messages of errors, where they are not the common ones. */
  readonly messages?: Partial<Record<ErrorCode, string>>;
}

/** An operation of the document, from its declaration and its texts. */
export function operationObject(
  declaration: OperationDeclaration,
  texts: OperationTexts,
): ZodOpenApiOperationObject {
  const { name, stability, deprecation, scope, request, errors } = declaration;
  const { path, query, headers: header } = request.shape;
  const sunset = deprecation?.sunset;
  for (const [parameter, schema] of Object.entries({ ...path?.shape, ...query?.shape, ...header?.shape })) {
    if (z.globalRegistry.get(schema)?.description) continue;
    throw new Error(`The document does not describe ${parameter} of ${name}.`);
  }
  return {
    operationId: name,
    summary: texts.summary,
    description: description(declaration, texts),
    tags: [OPERATIONS_TAG],
    security: [{ bearer: [] }],
    ...(sunset && { deprecated: true, 'x-deprecated-sunset': sunset }),
    'x-required-scope': scope,
    'x-stability': stability,
    'x-codeSamples': samplesOf(
      declaration,
      texts.client,
      Object.values(texts.body?.examples ?? {})[0]?.value,
    ),
    ...(sunset && { 'x-badges': [{ name: `Removed on ${longDate(sunset)}`, color: '#d92d20' }] }),
    ...(texts.hasTryOut === false && { 'x-hideTryItPanel': true }),
    requestParams: { ...(path && { path }), ...(query && { query }), ...(header && { header }) },
    ...requestBody(declaration, texts),
    responses: {
      ...successResponse(declaration, texts),
      ...errorResponses(errors, {
        messages: { forbidden: missingScope(scope), ...texts.messages },
        operationHeaders: operationHeaders(declaration),
      }),
    },
  };
}

function description({ stability, deprecation, scope }: OperationDeclaration, texts: OperationTexts): string {
  const notes: string[] = [];
  if (deprecation) {
    const { method, path } = deprecation.successor;
    const link = `[\`${method} ${path}\`](#tag/${OPERATIONS_TAG}/${method}${path})`;
    const instead = ['Use', link, texts.successorHint, 'instead.'].filter(Boolean).join(' ');
    notes.push(`**Deprecated: it will be removed on ${longDate(deprecation.sunset)}.** ${instead}`);
  }
  if (stability === 'experimental') notes.push('**Experimental: it may change without notice.**');
  if (texts.hasTryOut === false) notes.push("You can't try it out on this page.");
  const paragraphs = [texts.description, notes.join(' '), `The API key needs the scope \`${scope}\`.`];
  return paragraphs.filter(Boolean).join('\n\n');
}

function requestBody({ name, request }: OperationDeclaration, { body }: OperationTexts) {
  const schema = request.shape.body;
  if (!schema) return {};
  if (!body) throw new Error(`The document does not describe the body of ${name}.`);
  return {
    requestBody: {
      description: body.description,
      required: true,
      content: { 'application/json': { schema, examples: body.examples } },
    },
  };
}

function successResponse(declaration: OperationDeclaration, { success }: OperationTexts) {
  const { content } = success;
  return {
    [declaration.success]: {
      description: success.description,
      headers: headers({ ...operationHeaders(declaration), ...success.headers }),
      ...(content && { content: { 'application/json': content } }),
    },
  };
}

function operationHeaders({ deprecation }: OperationDeclaration): HeaderComponents | undefined {
  return deprecation && DEPRECATION_HEADERS;
}

/** A day such as `2030-12-05` in words: 5 December 2030. */
export function longDate(day: string): string {
  return new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}
