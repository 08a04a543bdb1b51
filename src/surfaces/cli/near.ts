/** Names that someone may have meant. */

const MAX_SHOWN = 3;

/** Names that `typed` begins, then names that are few slips away, nearest first; at most three. */
export function nearSpellings(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name, place) => ({ name, place, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter((each) => each.distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.place - b.place)
    .slice(0, MAX_SHOWN)
    .map((each) => each.name);
}

/** A name that is only longer is nearer than any slip. */
function distanceOf(wanted: string, name: string): number {
  return name.startsWith(wanted) ? 1 - 1 / (1 + name.length - wanted.length) : slips(wanted, name);
}

/** Insertions, deletions, substitutions and swapped neighbours from one to the other. */
function slips(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[line - 1] === to[column - 1];
      const swapped = line > 1 && column > 1 && from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next.push(
        Math.min(
          cell(row, column) + 1,
          cell(next, column - 1) + 1,
          cell(row, column - 1) + (same ? 0 : 1),
          swapped ? cell(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return cell(row, to.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
