import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { addressesBehind, namesOf, parseAllowed } from "./hosts.ts";

const LOOPBACK = ["127.0.0.1:8765", "localhost:8765", "[::1]:8765"];

describe("the names of a server", () => {
  it("H1: are those of loopback and of the address that is bound", () => {
    expect([...namesOf({ host: "127.0.0.1", port: 8765 }).hosts]).toEqual(LOOPBACK);
    const { hosts, origins } = namesOf({ host: "10.0.0.5", port: 8765 });
    expect([...hosts]).toEqual([...LOOPBACK, "10.0.0.5:8765"]);
    expect([...origins]).toEqual([...hosts].map((host) => `http://${host}`));
  });

  it("H1: are without the port, too, where it is the default one", () => {
    expect(namesOf({ host: "10.0.0.5", port: 80 }).hosts).toContain("10.0.0.5");
  });

  it("H1: are those of this machine where every address is bound, and of no other", () => {
    const { hosts } = namesOf({ host: "0.0.0.0", port: 8765 });
    const own = [hostname().toLowerCase(), ...addressesBehind("0.0.0.0")].map((name) => `${name}:8765`);
    expect([...hosts].sort()).toEqual([...new Set([...LOOPBACK, "0.0.0.0:8765", ...own])].sort());
    expect(addressesBehind("0.0.0.0").filter((address) => address.startsWith("["))).toEqual([]);
    expect(addressesBehind("[::]")).toEqual(expect.arrayContaining([...addressesBehind("0.0.0.0")]));
  });

  it("H2: are what was allowed, with the port of the server, without one, or with its own", () => {
    const { hosts, origins } = namesOf({ host: "127.0.0.1", port: 8765 }, ["a.example", "b.example:444"]);
    expect([...hosts].slice(3)).toEqual(["a.example", "a.example:8765", "b.example:444"]);
    expect([...origins].filter((origin) => origin.startsWith("https://"))).toEqual([
      "https://a.example",
      "https://a.example:8765",
      "https://b.example:444",
    ]);
  });
});

describe("--allow-host", () => {
  it("takes names and addresses, in lower case", () => {
    const given = ["LoopX.Example.com", "10.0.0.5", "[2001:DB8::1]:8765", "my_host", "x:1"];
    expect(parseAllowed(given)).toEqual({ kind: "done", value: given.map((name) => name.toLowerCase()) });
  });

  it.each(["", "*", "*.example.com", "http://a", "a/b", "a b", "a@b", "a:b", "a:123456", ".a", "a.", "[::1", "a,b"])(
    "H1: refuses %s",
    (name) => {
      expect(parseAllowed(["good", name])).toMatchObject({ kind: "bad_input", code: "invalid_host" });
    },
  );
});
