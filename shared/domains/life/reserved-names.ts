/** Names of AWS itself, under which its customers' endpoints and its validation records are. */
export const AWS_NAMES = [
  'aws',
  'amazonaws.com',
  'amazonaws.com.cn',
  'amazonaws.eu',
  'amazoncognito.com',
  'amplifyapp.com',
  'awsapprunner.com',
  'awsapps.com',
  'awsglobalaccelerator.com',
  'cloudfront.net',
  'cloudfront.cn',
  'elasticbeanstalk.com',
] as const;

/** Top-level domains that the list of public suffixes has, but in which nobody can have a public host (RFC 6761, 7686). */
export const SPECIAL_USE_NAMES = ['onion', 'arpa'] as const;
