/** A log file has a line per event: its time, a space, and its message, as in `2026-01-31T12:00:00.000Z {"level":"INFO"}`. */
import { type FileHandle, open } from 'node:fs/promises';

export interface LogEvent {
  readonly timestampMs: number;
  readonly message: string;
  /** Where its line begins in the file, in bytes. It identifies the event: lines are only appended. */
  readonly position: number;
  /** Where the next line begins. */
  readonly nextPosition: number;
}

export interface LogPage {
  readonly events: readonly LogEvent[];
  /** Where to read on; undefined at the end of the file. */
  readonly next: number | undefined;
}

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (.*)$/s;
const NEWLINE = 0x0a;

/** Reads the complete lines of about so many bytes from a position on. A file that does not exist has no events. */
export async function readLogFile(path: string, position: number, scanBytes: number): Promise<LogPage> {
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
    // A line without a time is no event: somebody else has written it.
    if (time !== undefined && message !== undefined) {
      const place = { position: position + start, nextPosition: position + end + 1 };
      events.push({ timestampMs: Date.parse(time), message, ...place });
    }
    start = end + 1;
  }
  const next = position + lines.length;
  return { events, next: lines.length === 0 || next >= fileSize ? undefined : next };
}
