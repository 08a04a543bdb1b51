/**
 * SHA-1 of a text's UTF-8, because generated todo ids are made of it (data-plane 4). Not for security.
 */

/** 40 lower-case hexadecimal digits; half of a surrogate pair counts as U+FFFD. */
export function sha1Hex(text: string): string {
  const blocks = padded(utf8(text));
  let state: Five = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  for (let block = 0; block < blocks.byteLength; block += 64) {
    fillSchedule(SCHEDULE, blocks, block);
    state = compress(state, SCHEDULE);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The bytes of `text`; half of a surrogate pair becomes U+FFFD. */
function utf8(text: string): readonly number[] {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const low = text.charCodeAt(at + 1);
    const isPair = unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000;
    if (isPair) pushUtf8(bytes, ((unit - 0xd800) << 10) + low - 0xdc00 + 0x10000);
    else pushUtf8(bytes, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit);
    if (isPair) at += 1;
  }
  return bytes;
}

/** Filled anew for every block; allocating it for each of 100,000 ids costs more than the digests. */
const SCHEDULE = new DataView(new ArrayBuffer(320));

type Five = [number, number, number, number, number];

function pushUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
}

function padded(bytes: readonly number[]): DataView {
  const blocks = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(blocks.length - 4, bytes.length << 3);
  return view;
}

function fillSchedule(schedule: DataView, blocks: DataView, block: number): void {
  for (let at = 0; at < 64; at += 4) schedule.setInt32(at, blocks.getInt32(block + at));
  for (let at = 64; at < 320; at += 4) {
    const mixed =
      schedule.getInt32(at - 12) ^ schedule.getInt32(at - 32) ^ schedule.getInt32(at - 56) ^ schedule.getInt32(at - 64);
    schedule.setInt32(at, rotate(mixed, 1));
  }
}

function compress(state: Five, schedule: DataView): Five {
  let [a, b, c, d, e] = state;
  for (let at = 0; at < 80; at += 1) {
    const next = (rotate(a, 5) + mix(at, b, c, d) + e + constantOf(at) + schedule.getInt32(at * 4)) | 0;
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
