import { parse } from 'yaml'
import text from '../../../examples/catalog/methodology.yaml' with { type: 'text' }
import { shape } from '../../platform/schema.ts'
import { Methodology } from '../records/methodology.ts'

/** The default methodology as the text of a file. */
export const METHODOLOGY_TEXT = text

/** The methodology of new folders, and of a server that has published nothing. */
export function defaultMethodology(): Methodology {
  return shape(Methodology).parse(parse(text))
}
