const NAMES = /^(localhost|0\.0\.0\.0|::1?|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether a program reaches this machine by a host name or address. */
export const isThisMachine = (host: string): boolean => NAMES.test(host);
