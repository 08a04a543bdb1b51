/**
 * What fields of a body may hold. A field that is null is one that is left out.
 *
 * F1  No text is empty, holds U+0000 or another control character but tabs and line breaks, or half of a surrogate pair.
 */
import { z } from "@hono/zod-openapi";

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const HALF_PAIR = /\p{Surrogate}/u;
const MOST_WORDS = 100;

type Text = z.ZodString;
type Optional<Schema extends z.ZodType> = z.ZodOptional<z.ZodNullable<Schema>>;

/** F1. */
export const text: Text = z
  .string()
  .refine((given) => given.trim() !== "", "must not be empty")
  .refine((given) => !CONTROL.test(given), "must hold no control characters but tabs and line breaks")
  .refine((given) => !HALF_PAIR.test(given), "must be Unicode without halves of surrogate pairs")
  .openapi({ type: "string", minLength: 1 });

export const dryRun: Optional<z.ZodBoolean> = flag("show what would happen, write nothing");

export function optional(about: string): Optional<Text> {
  return text.nullish().openapi({ description: about });
}

export function flag(about: string): Optional<z.ZodBoolean> {
  return z.boolean().nullish().openapi({ description: about });
}

/** One text, or several. */
export function words(about: string): Optional<z.ZodUnion<readonly [Text, z.ZodArray<Text>]>> {
  return z
    .union([text, z.array(text).max(MOST_WORDS)])
    .nullish()
    .openapi({ description: about });
}

/** A whole number. */
export function count(about: string, least = 0): Optional<z.ZodInt> {
  return z.int().min(least).nullish().openapi({ description: about });
}

export function amount(about: string, most: number = Number.MAX_SAFE_INTEGER): Optional<z.ZodNumber> {
  return z.number().min(0).max(most).nullish().openapi({ description: about });
}
