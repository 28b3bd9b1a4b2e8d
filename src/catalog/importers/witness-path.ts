import { isObject } from './fields.ts'

/**
 * The place of a value in a document: `info.title`, `servers[1].url`, `time["1.0.0"]`, or `.` for
 * the document as a whole. `../provider.toml#env` is a place in another document, whose address is
 * relative to the first.
 */
export type WitnessPath = string

const STEP = /\.?([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y

/** A key as a step of a path, quoted where it has signs of its own. */
export function keyStep(key: string): string {
  return /^[^.[\]",#]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** The value at a place of a document; undefined if there is none. */
export function valueAt(document: unknown, path: WitnessPath): unknown {
  if (path === '.') return document
  let value = document
  let end = 0
  while (end < path.length) {
    STEP.lastIndex = end
    const [step, plain, index, quoted] = STEP.exec(path) ?? []
    if (step === undefined) return undefined
    end += step.length
    if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined
    else {
      const key = quoted === undefined ? (plain ?? '') : JSON.parse(quoted)
      value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    }
  }
  return value
}
