// JavaScript, not TypeScript: it must run on the old versions that it refuses.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(
    `Petstore needs Node.js 24 or newer; this is ${process.version}. On Linux \`npm ci\` brings it along and the npm scripts use it; elsewhere install it from nodejs.org.\n`,
  );
  process.exit(1);
}
await import('./compile-cache.js');
