import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { LocalAwsError } from '../host/local-aws-error.ts';
import { parseProperties } from './resource-type.ts';

const ResourceDeclaration = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.any()).default({}),
  // The order of creation, and the policies for updates and deletions, have no effect in the local AWS.
  DependsOn: z
    .union([z.string(), z.array(z.string())])
    .transform(ids => [ids].flat())
    .optional(),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
  UpdatePolicy: z.unknown().optional(),
  CreationPolicy: z.unknown().optional(),
  Metadata: z.unknown().optional(),
});

const Output = z.strictObject({
  Value: z.unknown(),
  Description: z.unknown().optional(),
  Export: z.unknown().optional(),
});

/**
 * A CloudFormation template. CDK declares one parameter in each, which only its rules read: the version of the bootstrap
 * stack. The local AWS has neither.
 */
export const Template = z.strictObject({
  AWSTemplateFormatVersion: z.unknown().optional(),
  Description: z.unknown().optional(),
  Metadata: z.unknown().optional(),
  Rules: z.unknown().optional(),
  Parameters: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string()))).default({}),
  Resources: z.record(z.string(), ResourceDeclaration),
  Outputs: z.record(z.string(), Output).default({}),
});
export type Template = z.output<typeof Template>;

export interface StackArtifact {
  readonly name: string;
  readonly template: Template;
}

interface CloudAssembly {
  readonly stacks: readonly StackArtifact[];
  /** The folder (or file) of each file asset, by the S3 key that templates name it with. */
  readonly assets: ReadonlyMap<string, string>;
}

const Manifest = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({ type: z.string(), properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

const StackProperties = z.looseObject({
  templateFile: z.string(),
  stackName: z.string().optional(),
});

const AssetManifest = z.looseObject({
  files: z
    .record(
      z.string(),
      z.looseObject({
        source: z.looseObject({ path: z.string().optional() }),
        destinations: z.record(z.string(), z.looseObject({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

/** Reads the stacks and assets of a synthesized cloud assembly. */
export function readCloudAssembly(folder: string): CloudAssembly {
  const stacks: StackArtifact[] = [];
  const assets = new Map<string, string>();
  const { artifacts } = Manifest.parse(readJson(join(folder, 'manifest.json')));
  for (const [id, { type, properties }] of Object.entries(artifacts)) {
    if (type === 'aws:cloudformation:stack') {
      const { templateFile, stackName } = StackProperties.parse(properties);
      const name = stackName ?? id;
      const template = parseProperties(Template, readJson(join(folder, templateFile)), { stack: name });
      stacks.push({ name, template });
    } else if (type === 'cdk:asset-manifest') {
      const { files } = AssetManifest.parse(readJson(join(folder, String(properties.file))));
      for (const { source, destinations } of Object.values(files)) {
        for (const { objectKey } of Object.values(destinations)) {
          if (source.path !== undefined) assets.set(objectKey, resolve(folder, source.path));
        }
      }
    } else if (type === 'cdk:cloud-assembly') {
      throw new LocalAwsError(`${id}: nested assemblies are not supported by the local AWS.`);
    }
  }
  return { stacks, assets };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new LocalAwsError(`${file} cannot be read: synthesize the cloud assembly first (cdk synth).`, {
      cause,
    });
  }
}
