import { petstoreHere } from '../../petstore-here.ts';
import { startAccount } from './account-stand-in.ts';

export type Account = Awaited<ReturnType<typeof startAccount>>;

/** Runs the doctor in an account in which all is well but for what the test changes. */
export async function examined(change: Partial<Account> | ((account: Account) => void), ...words: string[]) {
  const account = await startAccount();
  if (typeof change === 'function') change(account);
  else Object.assign(account, change);
  const { stdout, stderr, exitCode } = await petstoreHere(
    ['doctor', ...words, '--json'],
    account.environment,
  );
  if (stdout === '') return { exitCode, stderr, toDo: [], finding: () => undefined };
  const { findings, toDo } = JSON.parse(stdout);
  const finding = (subject: string) =>
    findings.find((candidate: { subject: string }) => candidate.subject === subject);
  return { exitCode, stderr, toDo, finding };
}
