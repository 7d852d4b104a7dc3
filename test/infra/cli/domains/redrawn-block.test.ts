import { expect, test } from 'vitest';
import { RedrawnBlock } from '../../../../infra/cli/domains/redrawn-block.ts';

const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';

function written(columns: number, rows: number, use: (block: RedrawnBlock) => void): string[] {
  const writes: string[] = [];
  use(new RedrawnBlock({ columns, rows, write: text => writes.push(text) }));
  return writes;
}

test('is drawn over in place, and gives the cursor back', () => {
  const writes = written(80, 24, block => {
    block.draw(['one', 'two']);
    block.draw(['three']);
    block.clear();
  });
  expect(writes).toEqual([`${HIDE}one\ntwo\n`, '\u001b[2A\r\u001b[Jthree\n', `\u001b[1A\r\u001b[J${SHOW}`]);
});

test('a line that is wider than the terminal takes several rows; colours take none', () => {
  const writes = written(10, 24, block => {
    block.draw(['0123456789abc', '\u001b[31m0123456789\u001b[39m', '']);
    block.draw([]);
  });
  expect(writes[1]).toBe('\u001b[4A\r\u001b[J');
});

test('never more than fits: what has scrolled away cannot be drawn over', () => {
  const [first] = written(80, 3, block => block.draw(['one', 'two', 'three']));
  expect(first).toBe(`${HIDE}one\ntwo\n`);
});

test('stays as it is when it is left', () => {
  const writes = written(80, 24, block => {
    block.draw(['one']);
    block.leave();
  });
  expect(writes[1]).toBe(`\r\u001b[J${SHOW}`);
});
