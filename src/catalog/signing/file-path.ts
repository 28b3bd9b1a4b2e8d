// What documents of a catalog are called; nothing that a shell, a disk or a browser reads otherwise.
const SEGMENT = /^[A-Za-z0-9._~@+-]+$/

/** Why `path` must not be taken from a manifest; undefined when it may. */
export function pathProblem(path: string): string | undefined {
  const [first, ...segments] = path.split('/')
  const isSafe =
    first === '' &&
    segments.length > 0 &&
    segments.every((one) => SEGMENT.test(one) && one !== '.' && one !== '..')
  if (isSafe) return undefined
  return `The manifest has a path that is none: ${JSON.stringify(path).slice(0, 120)}.`
}
