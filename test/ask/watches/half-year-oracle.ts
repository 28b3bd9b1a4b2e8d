/** What happens on a day; days are counted from the first. */
export type Event = { day: number; tool: number } & (
  | { what: 'version'; to: string }
  | { what: 'price'; to: number | null }
  | { what: 'tools'; breaking: boolean | null }
  | { what: 'status'; to: 'none' | 'major' }
  | { what: 'end' | 'break'; id: string; date: number }
  | { what: 'withdrawn'; id: string }
  | { what: 'gone' }
)

/** The price of every tool on the first day, as the catalog states it. */
export type FirstPrices = readonly (number | null)[]

/**
 * What a watcher of everything must be told on a day, `tool kind`, sorted; written from what a reader
 * is promised, without looking at how it is done: each day is worked out from all that happened.
 */
export function expectedNews(
  story: readonly Event[][],
  day: number,
  prices: FirstPrices,
): string[] {
  const past = story.slice(0, day + 1).flat()
  const tools = [...new Set(past.map(({ tool }) => tool))]
  return tools
    .filter((tool) => !isGone(past, tool))
    .flatMap((tool) => {
      const own = past.filter((event) => event.tool === tool)
      return [
        ...versionNews(own, day),
        ...priceNews(own, day, prices[tool] ?? null),
        ...toolNews(own, day),
        ...changeNews(own, day),
      ].map((kind) => `${tool} ${kind}`)
    })
    .sort()
}

function isGone(past: readonly Event[], tool: number): boolean {
  return past.some((event) => event.tool === tool && event.what === 'gone')
}

function versionNews(own: readonly Event[], day: number): string[] {
  const values = own.flatMap((event) => (event.what === 'version' ? [event] : []))
  const last = values.at(-1)
  const before = values.at(-2)
  return last?.day === day && before && before.to !== last.to ? ['version'] : []
}

function priceNews(own: readonly Event[], day: number, first: number | null): string[] {
  const values = own.flatMap((event) => (event.what === 'price' ? [event] : []))
  const last = values.at(-1)
  if (last?.day !== day || last.to === null) return []
  const prices = [first, ...values.slice(0, -1).map(({ to }) => to)].filter((to) => to !== null)
  const before = prices.at(-1)
  return before !== undefined && before !== last.to ? ['price'] : []
}

function toolNews(own: readonly Event[], day: number): string[] {
  const lists = own.filter(({ what }) => what === 'tools')
  return lists.length > 1 && lists.at(-1)?.day === day ? ['tools'] : []
}

function changeNews(own: readonly Event[], day: number): string[] {
  return own.flatMap((event) => {
    if (event.what !== 'end' && event.what !== 'break') return []
    const withdrawn = own.find((other) => other.what === 'withdrawn' && other.id === event.id)
    if (withdrawn) return withdrawn.day === day ? ['ends'] : []
    if (event.what === 'break') {
      const near = event.date - event.day > 7 && event.date - 7 === day
      return event.day === day || near || event.date === day ? ['breaking'] : []
    }
    if (event.day === day) return event.date - day > 90 ? ['deprecated'] : ['ends']
    if (event.date === day) return ['ended']
    const isStep = [90, 30, 7].some((n) => event.date - n === day && event.date - event.day > n)
    return isStep ? ['ends'] : []
  })
}

/** How many rows `/history/…` has of a tool: lists, versions, prices. */
export function expectedHistory(story: readonly Event[][], day: number, tool: number) {
  const own = story
    .slice(0, day + 1)
    .flat()
    .filter((event) => event.tool === tool)
  const distinct = (values: unknown[]) =>
    values.filter((one, at) => at === 0 || one !== values[at - 1])
  return {
    toolLists: own.filter(({ what }) => what === 'tools').length,
    versions: distinct(own.flatMap((event) => (event.what === 'version' ? [event.to] : []))).length,
    status: distinct(own.flatMap((event) => (event.what === 'status' ? [event.to] : []))).length,
  }
}

/** True if a tool was shut down by then, which its badge must say. */
export function isOver(story: readonly Event[][], day: number, tool: number): boolean {
  const own = story
    .slice(0, day + 1)
    .flat()
    .filter((event) => event.tool === tool)
  return own.some(
    (event) =>
      event.what === 'end' &&
      event.date <= day &&
      !own.some((other) => other.what === 'withdrawn' && other.id === event.id),
  )
}
