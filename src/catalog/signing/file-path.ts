// Characters of a catalog's documents; none has a meaning for a shell, a disk or a browser.
const NAME = /^[A-Za-z0-9._~@+-]+$/

/**
 * Why `path` in a manifest is not safe; undefined if it is. A name may contain a slash written as
 * `%2F`, as servers of a registry do; the parts around it must be names too.
 */
export function pathProblem(path: string): string | undefined {
  const [first, ...segments] = path.split('/')
  const names = segments.flatMap((segment) => segment.split('%2F'))
  const isSafe =
    first === '' &&
    names.length > 0 &&
    names.every((one) => NAME.test(one) && one !== '.' && one !== '..')
  if (isSafe) return undefined
  return `The manifest has an invalid path: ${JSON.stringify(path).slice(0, 120)}.`
}
