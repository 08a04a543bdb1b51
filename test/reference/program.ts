/** The program under test: the one just built, or another, say that of an installed package. */
import { join } from "node:path";

export const PROGRAM: string = process.env["LOOPX_REFERENCE_PROGRAM"] ?? join(import.meta.dirname, "../../dist/loopx.cjs");
