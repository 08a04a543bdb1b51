/** The version of the package, here so that no command reads a file to know it. */
export const VERSION = "0.1.0";
