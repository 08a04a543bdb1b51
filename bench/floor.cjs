// The least that a command can cost: `node floor.cjs ADDON STORE [FILE…]` loads the engine, opens the store, reads one row, closes,
// and loads the files without calling anything in them. With `--require` before the program of a command it prints, at the end,
// the files that the command loaded.

const [, self, addon, store, ...files] = process.argv;
if (self !== __filename) {
  process.once("exit", () => {
    const loaded = Object.keys(require.cache).filter((file) => file !== __filename && file !== self);
    require("node:fs").writeSync(2, `\n${JSON.stringify(loaded)}`);
  });
} else {
  for (const file of files) require(file);
  const engine = { exports: {} };
  process.dlopen(engine, addon);
  const database = new engine.exports.DatabaseSync(store);
  database.exec("pragma synchronous = full");
  database.prepare("select key from meta limit 1").get();
  database.close();
}
