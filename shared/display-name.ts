import * as z from 'zod/mini';

/**
 * What people call something, in any script. Marks that change the direction of writing would reorder the text around it
 * (Arabic and Hebrew need none), and a name of invisible characters only could not be clicked.
 */
export function displayName(most: number) {
  return z
    .string('must be text')
    .check(
      z.trim(),
      z.normalize('NFC'),
      z.regex(
        new RegExp(
          `^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufffd]{1,${most}}$`,
          'u',
        ),
        `must be 1–${most} characters on one line, in any script, without control or text-direction characters`,
      ),
    );
}
