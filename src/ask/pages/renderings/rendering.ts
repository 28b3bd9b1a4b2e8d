import type { JSX } from 'preact'

/** Arguments of a tool, by their names. */
export type Values = Readonly<Record<string, unknown>>

/** A way to show arguments as people read them. What agents write in them stays text. */
export type Rendering = {
  /** The names of those that it shows, together as one part each; empty if none is of its kind. */
  parts(values: Values): readonly (readonly string[])[]
  /** The name of a part of several. */
  title?: string
  Show(props: { values: Values; names: readonly string[] }): JSX.Element
}

/** Each argument for itself that is of a kind. */
export function each(is: (value: unknown, name: string) => boolean): Rendering['parts'] {
  return (values) =>
    Object.entries(values).flatMap(([name, value]) => (is(value, name) ? [[name]] : []))
}

/** The name of an argument as plain words: `query` for `sqlQuery`, `sql_query` and `SQL-query`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
}
