import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../cloudformation/resource.ts';
import { type LogPage, readLogFile } from './log-file.ts';

export interface LogGroup {
  readonly name: string;
  /** Undefined when events are kept for ever. */
  readonly retentionInDays: number | undefined;
}

/** The log groups. Each is a file of lines (log-file.ts): /aws/lambda/create-pet is aws-lambda-create-pet.log. */
export class LogGroups {
  readonly folder: string;
  readonly #files = new Map<string, WriteStream>();
  #groups: ReadonlyMap<string, LogGroup> = new Map();
  #isClosed = false;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Creates the log groups that the stacks declare. */
  deploy(resources: readonly Resource[]): void {
    const declared = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup');
    this.#groups = new Map(
      declared.map(({ physicalId: name, properties: { RetentionInDays } }) => [
        name,
        { name, retentionInDays: RetentionInDays === undefined ? undefined : Number(RetentionInDays) },
      ]),
    );
  }

  /** The log groups that the stacks declare, and those that a function created by writing to them; by name. */
  list(): readonly LogGroup[] {
    const created = [...this.#files.keys()].filter(name => !this.#groups.has(name));
    return [
      ...this.#groups.values(),
      ...created.map(name => ({ name, retentionInDays: undefined })),
    ].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  }

  write(logGroup: string, line: string): void {
    if (!this.#isClosed) {
      this.#file(logGroup).write(`${new Date().toISOString()} ${line}\n`);
    }
  }

  /** Writes to a group by its ARN: arn:aws:logs:<region>:<account>:log-group:<name>, with or without :* */
  readonly writeByArn = (logGroupArn: string, line: string): void => {
    const [, , , , , , name = logGroupArn] = logGroupArn.split(':');
    this.write(name, line);
  };

  /** The events of a group from a position in its file, as many as a scan of so many bytes finds. */
  read(logGroup: string, position: number, scanBytes: number): Promise<LogPage> {
    return readLogFile(this.#path(logGroup), position, scanBytes);
  }

  /** Resolves when what was written so far is in the files. */
  async flushed(): Promise<void> {
    await Promise.all(
      [...this.#files.values()].map(file => new Promise<void>(written => file.write('', () => written()))),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const files = [...this.#files.values()];
    this.#files.clear();
    await Promise.all(files.map(file => new Promise<void>(closed => file.end(() => closed()))));
  }

  #file(logGroup: string): WriteStream {
    const opened = this.#files.get(logGroup);
    if (opened !== undefined) {
      return opened;
    }
    const file = createWriteStream(this.#path(logGroup), { flags: 'a' });
    // A full disk or a deleted folder must not fail requests.
    file.on('error', () => {});
    this.#files.set(logGroup, file);
    return file;
  }

  #path(logGroup: string): string {
    return join(this.folder, `${logGroup.replace(/^\//, '').replaceAll('/', '-')}.log`);
  }
}
