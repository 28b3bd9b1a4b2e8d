import { oncePer } from '../../platform/once-per.ts'
import { toToolRecord } from '../authoring/to-tool-record.ts'
import type { ToolDetail } from '../records/tool.ts'

/** The JSON of a record as lists contain it. */
export const recordText = oncePer((tool: ToolDetail) => JSON.stringify(toToolRecord(tool)))
