import { catalogTexts } from '../../../examples/catalog-texts.ts' with { type: 'macro' }

const TEXTS: Record<string, string> = catalogTexts()

/** The example records that `catalog init` writes, by their paths in the folder. */
export function exampleTexts(): ReadonlyMap<string, string> {
  return new Map(Object.entries(TEXTS))
}
