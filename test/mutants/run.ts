import { judgeByTests } from './judge-by-tests.ts';
const r = await judgeByTests(process.argv[2] ?? '', process.argv[3] ?? '', Number(process.argv[4] ?? 2));
const surv = r.filter(v => v.caughtBy === undefined);
console.log(JSON.stringify(surv.map(v=>v.id), null, 1));
console.log(r.length, surv.length);
import { writeFileSync } from 'node:fs';
writeFileSync('/tmp/mp/result.json', JSON.stringify(r, null, 1));
