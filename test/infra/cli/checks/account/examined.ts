import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../../infra/local/testing/temporary-folder.ts';
import { petstoreHere } from '../../petstore-here.ts';
import { startAccount } from './account-stand-in.ts';

export type Account = Awaited<ReturnType<typeof startAccount>>;

/** Runs the doctor in an account in which all is well but for what the test changes, and with these settings. */
export async function examined(
  change: Partial<Account> | ((account: Account) => unknown),
  stage = 'staging',
  settings: object = {},
) {
  const account = await startAccount();
  if (typeof change === 'function') change(account);
  else Object.assign(account, change);
  const folder = temporaryFolder();
  writeFileSync(join(folder, `${stage}.json`), JSON.stringify(settings));
  const line = `doctor --stage ${stage} --settings ${folder} --json`;
  const { stdout, stderr, exitCode } = await petstoreHere(line, account.environment);
  if (stdout === '') return { exitCode, stderr, toDo: [], finding: () => undefined };
  const { findings, toDo } = JSON.parse(stdout);
  const finding = (subject: string) =>
    findings.find((candidate: { subject: string }) => candidate.subject === subject);
  return { exitCode, stderr, toDo, finding };
}
