import { busArn, type Entry } from './event-entry.ts';

/** What EventBridge answers for an entry that it does not accept. */
export interface EntryFault {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const MAX_LENGTHS = { Source: 256, DetailType: 128 } as const;

/** Why an entry is not accepted; undefined for one that is. */
export function entryFault({ Source, DetailType, Detail, EventBusName }: Entry): EntryFault | undefined {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (!value) return invalid(name, `${name} is a required argument.`);
  }
  for (const [name, value] of Object.entries({ Source, DetailType })) {
    const max = MAX_LENGTHS[name as keyof typeof MAX_LENGTHS];
    if ((value ?? '').length > max) return invalid(name, `${name} is longer than ${max} characters.`);
  }
  if (Source?.startsWith('aws.')) {
    return {
      ErrorCode: 'NotAuthorizedForSourceException',
      ErrorMessage: 'Not authorized for the source.',
    };
  }
  if (!isJsonObject(Detail ?? ''))
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  // AWS may accept and drop an event for a bus that does not exist, which the sender would not notice.
  if (busArn(EventBusName) !== busArn()) {
    return invalid('EventBusName', `Event bus ${EventBusName} does not exist.`);
  }
  return undefined;
}

function invalid(name: string, reason: string): EntryFault {
  return { ErrorCode: 'InvalidArgument', ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}` };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
