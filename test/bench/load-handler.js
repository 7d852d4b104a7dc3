// JavaScript, because stripping types would count towards the CPU time that is measured in these processes.
import { createRequire } from 'node:module';

/** Loads a bundle's handler as Lambda does: a CommonJS file by require, an ES module by import. */
export async function loadHandler(file) {
  const { handler } = file.endsWith('.cjs') ? createRequire(import.meta.url)(file) : await import(file);
  return handler;
}

/** CPU time of all threads of this process since it started, in microseconds. */
export function cpuMicroseconds() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
