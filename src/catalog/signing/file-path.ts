// What documents of a catalog are called; nothing that a shell, a disk or a browser reads otherwise.
const NAME = /^[A-Za-z0-9._~@+-]+$/

/**
 * Why `path` must not be taken from a manifest; undefined when it may. A name may have a slash
 * written as `%2F`, as servers of a registry do; what stands around it must be a name too.
 */
export function pathProblem(path: string): string | undefined {
  const [first, ...segments] = path.split('/')
  const names = segments.flatMap((segment) => segment.split('%2F'))
  const isSafe =
    first === '' &&
    names.length > 0 &&
    names.every((one) => NAME.test(one) && one !== '.' && one !== '..')
  if (isSafe) return undefined
  return `The manifest has a path that is none: ${JSON.stringify(path).slice(0, 120)}.`
}
