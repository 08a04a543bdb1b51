/**
 * The fewest items that have to move to explain a new order: all that are not in the longest run that kept it.
 */

/** Places in `order` whose item left that run. `order` holds for each new place the old one, or null for a new item. */
export function fewestMoves(order: readonly (number | null)[]): ReadonlySet<number> {
  const tails: { readonly place: number; readonly old: number }[] = [];
  const previous = new Map<number, number>();
  const moved = new Set<number>();
  order.forEach((old, place) => {
    if (old === null) return;
    moved.add(place);
    const length = firstTailAbove(tails, old);
    const before = tails[length - 1];
    if (before !== undefined) previous.set(place, before.place);
    tails[length] = { place, old };
  });
  for (let place = tails.at(-1)?.place; place !== undefined; place = previous.get(place)) moved.delete(place);
  return moved;
}

function firstTailAbove(tails: readonly { readonly old: number }[], old: number): number {
  let [low, high] = [0, tails.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const tail = tails[middle];
    if (tail !== undefined && tail.old < old) low = middle + 1;
    else high = middle;
  }
  return low;
}
