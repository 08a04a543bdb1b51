/** What a suite of the store contract needs from the adapter that it is run on. */
import type { Store } from "../../src/ports/store.ts";

/** The reason why an adapter has no such thing, as a sentence. */
export interface Lacks {
  readonly lacks: string;
}

export interface StorePlace {
  /** Opened on an empty place of its own. */
  readonly store: Store;
  /** Closes everything that was opened on this place and removes it. */
  readonly dispose: () => Promise<void>;
}

export interface StoreAdapter<P extends StorePlace = StorePlace> {
  readonly open: () => Promise<P>;
  /** One more connection to what `place.store` is connected to. */
  readonly another: ((place: P) => Promise<Store>) | Lacks;
  /** A connection that cannot write, to what `place.store` has committed. */
  readonly readOnly: ((place: P) => Promise<Store>) | Lacks;
  /** Where `copyTo` may write, and the store that opens it. */
  readonly copy: ((place: P) => { readonly path: string; readonly open: () => Promise<Store> }) | Lacks;
}

/** Runs `use` on a fresh store and removes it afterwards. */
export async function onFresh<P extends StorePlace>(
  adapter: StoreAdapter<P>,
  use: (store: Store, place: P) => Promise<void>,
): Promise<void> {
  const place = await adapter.open();
  try {
    await use(place.store, place);
  } finally {
    await place.dispose();
  }
}
