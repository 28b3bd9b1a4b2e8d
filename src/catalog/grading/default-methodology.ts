import { parse } from 'yaml'
import { shape } from '../../platform/schema.ts'
import { Methodology } from '../records/methodology.ts'
import text from './methodology.yaml' with { type: 'text' }

/** The default methodology as the text of a file. */
export const METHODOLOGY_TEXT = text

/** The methodology of folders that have none of their own. */
export function defaultMethodology(): Methodology {
  return shape(Methodology).parse(parse(text))
}
