/** Takes a fix back; the last one first where several override one method. */
export type Undo = () => void

/** Overrides a method of a class, for this process. @param make gets the method as it was */
export function override<Class extends object, Name extends keyof Class>(
  prototype: Class,
  name: Name,
  make: (before: Class[Name]) => Class[Name],
): Undo {
  const before = prototype[name]
  prototype[name] = make(before)
  return () => {
    prototype[name] = before
  }
}
