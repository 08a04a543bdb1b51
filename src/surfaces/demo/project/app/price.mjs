/** Price in cents with tax, rounded half up. */
export function withTax(cents, percent) {
  return Math.floor((cents * (100 + percent) + 50) / 100);
}
