import { catalogTexts } from '../../../examples/catalog-texts.ts' with { type: 'macro' }
import { schemaLine } from '../authoring/editor-schemas.ts'
import { commonFiles } from './starter-files.ts'

const TEXTS: Record<string, string> = catalogTexts()

/** The example records of `examples/catalog`, by their paths there. */
export function exampleTexts(): ReadonlyMap<string, string> {
  return new Map(Object.entries(TEXTS))
}

/** A complete folder with the examples: their files, the methodology, and schemas for editors. */
export function exampleFolder(): Map<string, string> {
  const texts = Object.entries(TEXTS).map(([path, text]) => {
    return [path, path.endsWith('.yaml') ? schemaLine(path) + text : text] as const
  })
  return new Map([...texts, ...commonFiles()])
}
