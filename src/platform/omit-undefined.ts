type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The object without its undefined fields. */
export function omitUndefined<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<T>
}
