/** JSON Schema pattern of a path, or a pattern of paths, below the folder of a run. */
export const PATH_BELOW = '^(?!/)(?!(.*/)?\\.\\.(/|$))'
