import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '../cloudformation/resource-type.ts';

export interface LogGroup {
  readonly name: string;
  /** Undefined when events never expire. */
  readonly retentionInDays: number | undefined;
}

/** The log groups. Each is a file with a line per event: /aws/lambda/create-pet is aws-lambda-create-pet.log. */
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

  /** The events of a group in about `scanBytes` of its file from a position. */
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

/** A log file has a line per event: its time, a space, and its message, as in `2026-01-31T12:00:00.000Z {"level":"INFO"}`. */
export interface LogEvent {
  readonly timestampMs: number;
  readonly message: string;
  /** Where its line begins in the file, in bytes. It identifies the event: lines are only appended. */
  readonly position: number;
  /** Where the next line begins. */
  readonly nextPosition: number;
}

interface LogPage {
  readonly events: readonly LogEvent[];
  /** Where to continue; undefined at the end of the file. */
  readonly next: number | undefined;
}

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (.*)$/s;
const NEWLINE = 0x0a;

/** Reads the complete lines in about `scanBytes` from a position. A file that does not exist has no events. */
async function readLogFile(path: string, position: number, scanBytes: number): Promise<LogPage> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { events: [], next: undefined };
    throw error;
  }
  try {
    return pageOf(await completeLines(file, position, scanBytes), position, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

/** At least one line if there is one, however long it is. The last line of the file may be incomplete. */
async function completeLines(file: FileHandle, position: number, scanBytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(scanBytes), 0, scanBytes, position);
  const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
  const isLineCutOff = end === 0 && bytesRead === scanBytes;
  return isLineCutOff ? completeLines(file, position, scanBytes * 2) : buffer.subarray(0, end);
}

function pageOf(lines: Buffer, position: number, fileSize: number): LogPage {
  const events: LogEvent[] = [];
  let start = 0;
  for (let end = lines.indexOf(NEWLINE); end >= 0; end = lines.indexOf(NEWLINE, start)) {
    const [, time, message] = LINE.exec(lines.subarray(start, end).toString()) ?? [];
    // A line without a time is not an event: another program wrote it.
    if (time !== undefined && message !== undefined) {
      const place = { position: position + start, nextPosition: position + end + 1 };
      events.push({ timestampMs: Date.parse(time), message, ...place });
    }
    start = end + 1;
  }
  const next = position + lines.length;
  return { events, next: lines.length === 0 || next >= fileSize ? undefined : next };
}
