/** The name of the projection of a runtime root, and of a goal, in their folders. */
export const PROJECTION_FILE = "projection.json";
