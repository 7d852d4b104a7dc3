/**
 * A regular expression that must match the whole text, as API Gateway's do. It writes them in Java's dialect: one
 * that JavaScript does not read is refused.
 */
export function wholeTextPattern(expression: string, refuse: (fault: string) => never): RegExp {
  try {
    return new RegExp(`^(?:${expression})$`);
  } catch {
    return refuse(`the local runtime does not know the regular expression ${expression}`);
  }
}
