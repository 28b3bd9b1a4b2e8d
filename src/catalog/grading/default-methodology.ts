import { parse } from 'yaml'
import { shape } from '../../platform/schema.ts'
import { Methodology } from '../records/methodology.ts'
import text from './methodology.yaml' with { type: 'text' }

/** The methodology as a file, for a folder that wants to begin with it. */
export const METHODOLOGY_TEXT = text

/** What grades are made by where a folder has no methodology of its own. */
export function defaultMethodology(): Methodology {
  return shape(Methodology).parse(parse(text))
}
