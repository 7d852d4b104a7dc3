/** What is logged of a live domain that is not as it should be. */
// Stryker disable next-line StringLiteral: the log and what reads it both have the text from here.
export const NEEDS_ATTENTION = 'A live domain needs attention.';
