/** Path and query of a request as they were sent; creating a `URL` costs more than some answers. */
export function requestAddress(url: string): { path: string; search: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', search: '' }
  const mark = url.indexOf('?', start)
  if (mark < 0) return { path: url.slice(start), search: '' }
  return { path: url.slice(start, mark), search: url.slice(mark + 1) }
}
