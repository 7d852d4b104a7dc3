/** What is logged of a live domain that is not as it should be; an alarm counts it. */
export const NEEDS_ATTENTION = 'A live domain needs attention.';
