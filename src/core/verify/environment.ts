/**
 * What a verifier finds in its environment, and the digest that stands for it.
 *
 * E1  The digest covers all that the verifier is given but its marks: what differs from shell to shell, or from turn to turn, without
 *     meaning is not handed on.
 * E2  Package caches are those of the capability, whatever the person's own environment says.
 * E3  Marks say whose process it is, so that it is found when whoever started it was killed. A verdict does not depend on them.
 */

export type Environment = Readonly<Record<string, string>>;

const NOT_HANDED_ON: ReadonlySet<string> = new Set([
  ..."_ PWD OLDPWD SHLVL COLUMNS LINES TERM WINDOWID TMUX TMUX_PANE STY".split(" "),
  "LOOPX_TURN_RESULT_FILE",
]);
const MARKS: ReadonlySet<string> = new Set(["LOOPX_SESSION_MARKER", "LOOPX_AGENT_ID", "LOOPX_TURN_ID"]);

export function verifierEnvironment(own: Readonly<Record<string, string | undefined>>, packages: Environment): Environment {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && !NOT_HANDED_ON.has(name)) given[name] = value;
  }
  return { ...given, ...packages }; // (E2)
}

/** E1, E3. The order of the variables does not count. */
export function environmentDigest(environment: Environment, digest: (text: string) => string): string {
  const names = Object.keys(environment)
    .filter((name) => !MARKS.has(name))
    .sort();
  return digest(JSON.stringify(names.map((name) => [name, environment[name]])));
}

/** Where package managers keep what they fetched, below one folder. */
export function packageEnvironment(folder: string): Environment {
  return {
    XDG_CACHE_HOME: `${folder}/xdg`,
    npm_config_cache: `${folder}/npm`,
    YARN_CACHE_FOLDER: `${folder}/yarn`,
    PIP_CACHE_DIR: `${folder}/pip`,
    UV_CACHE_DIR: `${folder}/uv`,
    CARGO_HOME: `${folder}/cargo`,
    GOCACHE: `${folder}/go-build`,
    GOMODCACHE: `${folder}/go-mod`,
  };
}
