// JavaScript, not TypeScript: it must run on the old versions that it refuses.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(
    `Petstore needs Node.js 24 or newer; this is ${process.version}. On Linux, \`npm ci\` installs it and the npm scripts use it; elsewhere install it from nodejs.org.\n`,
  );
  process.exit(1);
}

// Stripping types and compiling take a third of a start, so compiled code is cached, for this process and those it
// starts. The cache is portable: it also works in a copy of the project.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../.cache/compiled', import.meta.url));
process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1';
module.enableCompileCache();
