/** What is logged of a live domain that is not as it should be. */
export const NEEDS_ATTENTION = 'A live domain needs attention.';
