import { expect, test } from 'vitest';
import { prose, safeJson, safeOutput, styleOf, titled } from '../../../../infra/cli/framework/style.ts';
import { PROGRAM_NAME } from '../../../../infra/operator/connection/command-error.ts';

test('breaks between words at the width, and indents every line', () => {
  expect(prose('one two three four', { width: 11 }, '  ')).toBe('  one two\n  three\n  four');
});

test('breaks nothing without a terminal', () => {
  const text = 'word '.repeat(50).trim();
  expect(prose(text, { width: undefined }, '  ')).toBe(`  ${text}`);
});

test('never breaks a word or a value in quotes, however long', () => {
  const host = '1f0c9d8e7b6a5f4e3d2c.apps.petstore.example';
  expect(prose(`Create ${host} now`, { width: 20 })).toBe(`Create\n${host}\nnow`);
  expect(prose('Add "v=1 two words" there', { width: 10 })).toBe('Add\n"v=1 two words"\nthere');
});

test('never breaks a command line to paste', () => {
  const line = `${PROGRAM_NAME} domains verify www.example.com --wait`;
  expect(prose(`Start it again with: ${line}`, { width: 30 })).toBe(`Start it again with:\n${line}`);
});

test('keeps line ends, and counts characters of double width', () => {
  expect(prose('one\ntwo', { width: 80 })).toBe('one\ntwo');
  expect(prose('動物 動物', { width: 8 })).toBe('動物\n動物');
});

test('a title stands in front of the first line, and the others are indented by its columns', () => {
  expect(titled('ok  ', 4, 'one two three', { width: 11 })).toBe('ok  one two\n    three');
  expect(titled('ok  ', 4, 'one two three', { width: undefined })).toBe('ok  one two three');
});

test('nothing that the command quotes reaches the terminal as an instruction; colors and ends of lines do', () => {
  const foreign = '\u{1b}]0;title\u{7} \u{9b}2J \u{202e}gnihton\r\u{1b}[8m';
  const { red } = styleOf({ isTTY: true }, true);
  expect(safeOutput(`${red('broken')}\n${foreign}`)).toBe(`${red('broken')}\n�]0;title� �2J �gnihton��[8m`);
  const json = safeJson({ foreign }, 2);
  expect(json).not.toMatch(/[^\P{Cc}\n]|\u{202e}/u);
  expect(JSON.parse(json)).toEqual({ foreign });
});
