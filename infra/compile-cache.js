// JavaScript, since it is loaded before anything else. Stripping types and compiling take a third of the time that a
// start takes; what was compiled once is kept, here and in every process that is started from here. It is kept by the
// path from the cache to the source, so that it is found in a copy of the project, too.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compiled', import.meta.url));
process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1';
module.enableCompileCache();
