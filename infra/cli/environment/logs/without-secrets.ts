/** What looks like an API key, also a part of one that a message has cut off. */
const API_KEY = /\bpet_[a-z]+_[0-9A-Za-z]{8,}/g;
/** The value of an Authorization header. */
const CREDENTIALS = /\b(bearer|basic) +[\w.~+/=-]{8,}/gi;

/**
 * Text of a log without what must not be shown. No function logs a key; this holds if a message of AWS or of a library
 * quotes one.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(API_KEY, '(an API key)').replaceAll(CREDENTIALS, '$1 (credentials)');
}
