/**
 * A regular expression that must match the whole text, as in API Gateway. On AWS it is in Java's dialect; one that is
 * not valid in JavaScript is rejected.
 */
export function wholeTextPattern(expression: string, refuse: (fault: string) => never): RegExp {
  try {
    return new RegExp(`^(?:${expression})$`);
  } catch {
    return refuse(`the regular expression ${expression} is not supported by the local runtime`);
  }
}
