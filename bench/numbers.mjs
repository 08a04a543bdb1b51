// Medians, percentiles and how they are written.

/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 0.5);
}

/**
 * The smallest value that is not below the given share of all.
 * @param {readonly number[]} values
 * @param {number} share
 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** @param {number} value */
export function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** @param {number} seconds */
export function ms(seconds) {
  const value = seconds * 1000;
  return `${value < 10 ? value.toFixed(2) : value < 1000 ? value.toFixed(1) : whole(value)} ms`;
}

/** @param {number} value */
export function times(value) {
  return `${value.toFixed(2)}×`;
}

/** @param {number} bytes */
export function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
