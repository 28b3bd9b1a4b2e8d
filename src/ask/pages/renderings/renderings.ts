import { diff } from './diff.tsx'
import { json } from './json.tsx'
import { link } from './link.tsx'
import { mail } from './mail.tsx'
import { money } from './money.tsx'
import type { Rendering, Values } from './rendering.ts'
import { sql } from './sql.tsx'
import { table } from './table.tsx'

/** All of them: an argument is shown by the first that takes it, and as text by none. */
const RENDERINGS: readonly Rendering[] = [mail, money, sql, diff, link, table, json]

/** Arguments that are shown together, and how; without a rendering as text. */
export type Part = { names: readonly string[]; by: Rendering | undefined }

/** The parts of all arguments, in their order. */
export function partsOf(values: Values): Part[] {
  const left = new Map(Object.entries(values))
  const parts: Part[] = []
  for (const by of RENDERINGS) {
    for (const names of by.parts(Object.fromEntries(left))) {
      parts.push({ names, by })
      for (const name of names) left.delete(name)
    }
  }
  for (const name of left.keys()) parts.push({ names: [name], by: undefined })
  const order = Object.keys(values)
  const place = ({ names }: Part) => Math.min(...names.map((name) => order.indexOf(name)))
  return parts.sort((one, other) => place(one) - place(other))
}
