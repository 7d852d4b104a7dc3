import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

/** The log groups. Each is a file of lines: /aws/lambda/create-pet is aws-lambda-create-pet.log. */
export class LogGroups {
  readonly folder: string;
  readonly #files = new Map<string, WriteStream>();
  #isClosed = false;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  write(logGroup: string, line: string): void {
    if (!this.#isClosed) {
      this.#file(logGroup).write(`${line}\n`);
    }
  }

  /** Writes to a group by its ARN: arn:aws:logs:<region>:<account>:log-group:<name>, with or without :* */
  readonly writeByArn = (logGroupArn: string, line: string): void => {
    const [, , , , , , name = logGroupArn] = logGroupArn.split(':');
    this.write(name, line);
  };

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
    const name = logGroup.replace(/^\//, '').replaceAll('/', '-');
    const file = createWriteStream(join(this.folder, `${name}.log`), { flags: 'a' });
    // A full disk or a deleted folder must not fail requests.
    file.on('error', () => {});
    this.#files.set(logGroup, file);
    return file;
  }
}
