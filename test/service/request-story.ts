import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { petstoreHere } from '../infra/cli/petstore-here.ts';
import type { HttpResponse } from './http-client.ts';
import { eventually } from './operator.ts';
import type { AwsAccess } from './running-service.ts';

/** What a command with --local and --json prints about a running service. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into results that it knows.
export async function printedBy(service: AwsAccess, words: readonly string[]): Promise<any> {
  const { awsEndpoint, awsCredentials } = service;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-running-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const PETSTORE_RUNNING_FILE = join(folder, 'running.json');
  writeFileSync(
    PETSTORE_RUNNING_FILE,
    JSON.stringify({ awsEndpoint, awsCredentials, baseUrls: { staging: '' }, pid: process.pid }),
  );
  const { stdout, stderr, exitCode } = await petstoreHere(words, { PETSTORE_RUNNING_FILE });
  if (exitCode !== 0) throw new Error(`petstore ${words[0]} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

/** What `petstore request` tells of a request to staging, as soon as the logs have it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into results that it knows.
export async function storyOf(service: AwsAccess, { headers }: HttpResponse): Promise<any> {
  const id = String(headers['x-request-id']);
  return eventually(async () => {
    const story = await printedBy(service, ['request', '--local', '--json', '--since', '1h', '--', id]);
    // The function's line may appear after that of the access log.
    if (story.why?.includes('has no line of this request')) throw new Error(story.why);
    return story;
  });
}
