/** An AWS service did not answer before the deadline. The same request may succeed later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
