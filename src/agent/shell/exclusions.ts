/**
 * What a pattern surely leaves out of a folder `source` that is copied, in the words of
 * `leavesOut`: `name` anywhere in it, `/a/b` from the folder down, each with everything below it;
 * with a slash at the end only what is below. Each program reads patterns in its own way, and a
 * pattern that may leave nothing out counts as none.
 */
export type Excluding = (pattern: string, source: string) => string[]

/** GNU tar and bsdtar, without `--anchored`: a pattern fits after any slash of `source/path`. */
export const byTar: Excluding = (pattern, source) => {
  const { body, end } = split(pattern)
  if (pattern.endsWith('/') || isOdd(body) || body.startsWith('/')) return []
  if (body.startsWith('./')) {
    const fromHere = source === '.' || source.startsWith('./')
    return fromHere ? fromTop(below(body.slice(2), bare(source)), end) : []
  }
  if (!body.includes('/')) return [body + end]
  return [...fromTop(body, end), ...fromTop(below(body, bare(source)), end)]
}

/**
 * rsync: a pattern with a slash at its start fits from the transfer's top, which holds the source
 * itself unless that ends in a slash; one with a slash inside fits the end of a path.
 */
export const byRsync: Excluding = (pattern, source) => {
  const { body, end } = split(pattern)
  if (isOdd(body) || body.startsWith('./')) return []
  if (!body.includes('/')) return [body + end]
  const top = source.endsWith('/') ? '' : (bare(source).split('/').at(-1) ?? '')
  const inside = fromTop(below(body.replace(/^\//, ''), top), end)
  return body.startsWith('/') ? inside : [...fromTop(body, end), ...inside]
}

/** zip: a pattern fits all of `source/path`, and a folder's own name leaves nothing of it out. */
export const byZip: Excluding = (pattern, source) => {
  const [, name] = /^\*\/([^*?[\\/]+)\/\*$/.exec(pattern) ?? []
  if (name !== undefined) return bare(source) === '' ? [] : [`${name}/`]
  const [, begin] = /^([^*?[\\]+)\*$/.exec(pattern) ?? []
  return begin === undefined ? [] : fromTop(below(begin, bare(source)), '*')
}

/** `keys/*` leaves out what is in `keys`. */
function split(pattern: string): { body: string; end: '' | '/' } {
  const body = pattern.replace(/\/\*{0,3}$/, '')
  return { body, end: body === pattern ? '' : '/' }
}

/** Signs of a filter, escapes, and ways up. */
function isOdd(body: string): boolean {
  return body === '' || /^[!+;#-]|\\|(^|\/)\.\.(\/|$)/.test(body)
}

function bare(source: string): string {
  return source
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '')
}

/** The rest of `path` from the folder `top` down; undefined if it leads elsewhere. */
function below(path: string, top: string): string | undefined {
  if (top === '') return path
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : undefined
}

function fromTop(rest: string | undefined, end: string): string[] {
  return rest === undefined ? [] : [`/${rest}${end}`]
}
