/** An AWS service did not answer in time, or not yet: the same request may succeed later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
