/** Small programs that behave as hosts do, for better or worse; each is the text of a Node script. */

/** How a host words what it says: its own lines for the same events. */
export interface HostDialect {
  readonly text: (text: string) => string;
  readonly session: (session_id: string) => string;
  readonly usage: (usage: object) => string;
  readonly result: (result: object) => string;
  readonly rateLimited: (until: string) => string;
  readonly authFailed: () => string;
  readonly refused: () => string;
}

export const RESULT = { kind: "validated_progress", summary: "Half done." } as const;

const quoted = (text: string): string => JSON.stringify(text);
const say = (line: string): string => `console.log(${quoted(line)});`;

/** Writes the result file as `loopx turn submit` does. */
const SUBMIT = `require("fs").writeFileSync(process.env.LOOPX_TURN_RESULT_FILE, JSON.stringify({
  schema_version: "loopx_turn_result_v1", turn_id: process.env.LOOPX_TURN_ID, ...${JSON.stringify(RESULT)} }));`;
const FOR_EVER = "setInterval(() => {}, 1000);";

export function programsIn(host: HostDialect) {
  const fenced = ["Here it is:", "```loopx-turn-result", JSON.stringify(RESULT), "```", "Bye."];
  return {
    file: SUBMIT,
    structured: [say(host.session("s-1")), say(host.usage({ input_tokens: 3, output_tokens: 4 })), say(host.result(RESULT))].join(
      "\n",
    ),
    fenced: fenced.map((line) => say(host.text(line))).join("\n"),
    chatter: [
      `for (let at = 0; at < 2000; at += 1) console.log("line " + at + " {\\"json\\": [broken, rate limit reached until tomorrow");`,
      `process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));`,
      `console.error("authentication failed");`,
      SUBMIT,
    ].join("\n"),
    contradicting: [say(host.result({ kind: "wait", summary: "CI runs." })), SUBMIT].join("\n"),
    partialFile: `require("fs").writeFileSync(process.env.LOOPX_TURN_RESULT_FILE, '{"schema_version":"loopx_turn_result_v1",');`,
    partialEvent: `process.stdout.write(${quoted(host.result(RESULT).slice(0, -20))});`,
    rateLimit: [say(host.rateLimited("2026-11-30T09:00:00Z")), "process.exitCode = 1;"].join("\n"),
    authFailure: [say(host.authFailed()), "process.exitCode = 1;"].join("\n"),
    refusal: say(host.refused()),
    silence: FOR_EVER,
    hang: `setInterval(() => console.log("still here"), 5);`,
    stubborn: `process.on("SIGTERM", () => {}); console.log("ready"); ${FOR_EVER}`,
    crash: `process.kill(process.pid, "SIGSEGV"); ${FOR_EVER}`,
    exit1: `console.log("no"); process.exitCode = 1;`,
    submitAndHang: `${SUBMIT} console.log("submitted"); ${FOR_EVER}`,
    nothing: "",
    /** More than a pipe holds at a time, until 100 MB are through. */
    flood: [
      `const line = "x".repeat(1023) + "\\n"; const block = Buffer.from(line.repeat(64)); let left = 1600;`,
      `const pour = () => { while (left > 0) { left -= 1; if (!process.stdout.write(block)) return process.stdout.once("drain", pour); } ${SUBMIT} };`,
      "pour();",
    ].join("\n"),
    /** Its children ignore TERM, hold its pipes, and one of them left the group. It says their numbers. */
    grandchildren: [
      `const { spawn } = require("child_process");`,
      `const stubborn = 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); process.send("ready"); process.disconnect(); setInterval(() => {}, 1000);';`,
      "let waiting = 2;",
      "for (const detached of [false, true]) {",
      `  const child = spawn(process.execPath, ["-e", stubborn], { detached, stdio: ["ignore", "inherit", "inherit", "ipc"] });`,
      `  child.once("message", () => { console.log("child " + child.pid); child.unref(); if (--waiting === 0) { ${SUBMIT} process.exit(0); } });`,
      "}",
    ].join("\n"),
    /** Its child leaves the group, forgets the environment and holds the pipes: nobody can find it. It says its number. */
    escapee: [
      `const { spawn } = require("child_process");`,
      `const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, env: {}, stdio: ["ignore", "inherit", "inherit"] });`,
      `child.once("spawn", () => { console.log("child " + child.pid); child.unref(); ${SUBMIT} process.exit(0); });`,
    ].join("\n"),
    /** Says what it was given. */
    mirror: [
      `const names = Object.keys(process.env).sort();`,
      `const loopx = Object.fromEntries(names.filter((name) => name.startsWith("LOOPX_")).map((name) => [name, process.env[name]]));`,
      `console.log(JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), names, loopx }));`,
      SUBMIT,
    ].join("\n"),
  } as const;
}

export type ProgramName = keyof ReturnType<typeof programsIn>;
