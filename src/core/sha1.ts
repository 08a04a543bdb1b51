/**
 * SHA-1 of a text's UTF-8, because generated todo ids are made of it (data-plane 4). Not for security.
 */

/** 40 lower-case hexadecimal digits; half of a surrogate pair counts as U+FFFD. */
export function sha1Hex(text: string): string {
  const words = paddedWords(utf8(text));
  let state: Five = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  const schedule = new Int32Array(80);
  for (let block = 0; block < words.length; block += 16) {
    fillSchedule(schedule, words, block);
    state = compress(state, schedule);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The bytes of `text`; half of a surrogate pair becomes U+FFFD. */
export function utf8(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    pushUtf8(bytes, code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
  }
  return bytes;
}

type Five = [number, number, number, number, number];

function pushUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
}

function paddedWords(bytes: readonly number[]): Int32Array {
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) * 16);
  for (let at = 0; at < bytes.length; at += 1) {
    words[at >> 2] = (words[at >> 2] ?? 0) | ((bytes[at] ?? 0) << (24 - (at & 3) * 8));
  }
  const end = bytes.length;
  words[end >> 2] = (words[end >> 2] ?? 0) | (0x80 << (24 - (end & 3) * 8));
  words[words.length - 2] = Math.floor(end / 0x20000000);
  words[words.length - 1] = end << 3;
  return words;
}

function fillSchedule(schedule: Int32Array, words: Int32Array, block: number): void {
  for (let at = 0; at < 16; at += 1) schedule[at] = words[block + at] ?? 0;
  for (let at = 16; at < 80; at += 1) {
    const mixed = (schedule[at - 3] ?? 0) ^ (schedule[at - 8] ?? 0) ^ (schedule[at - 14] ?? 0) ^ (schedule[at - 16] ?? 0);
    schedule[at] = rotate(mixed, 1);
  }
}

function compress(state: Five, schedule: Int32Array): Five {
  let [a, b, c, d, e] = state;
  for (let at = 0; at < 80; at += 1) {
    const next = (rotate(a, 5) + mix(at, b, c, d) + e + constantOf(at) + (schedule[at] ?? 0)) | 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0, (state[4] + e) | 0];
}

function mix(at: number, b: number, c: number, d: number): number {
  if (at < 20) return (b & c) | (~b & d);
  if (at >= 40 && at < 60) return (b & c) | (b & d) | (c & d);
  return b ^ c ^ d;
}

function constantOf(at: number): number {
  if (at < 20) return 0x5a827999;
  if (at < 40) return 0x6ed9eba1;
  return at < 60 ? 0x8f1bbcdc : 0xca62c1d6;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
