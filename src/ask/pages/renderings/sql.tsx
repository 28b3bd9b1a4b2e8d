/** @jsxImportSource preact */

import { CodeLines } from '../action-body.tsx'
import { coloursIn, languageOf } from '../syntax/colours.ts'
import { each, type Rendering, wordsOf } from './rendering.ts'

const BEGINS =
  /^\s*(?:--[^\n]*\n\s*)*(?:select|insert\s+into|update|delete\s+from|with|create|alter|drop|truncate|merge\s+into|grant|revoke|explain|begin|replace\s+into)\s/i
const GOES_ON = /\b(?:from|into|set|values|table|where|view|index|schema|database|on|to|as)\b/i

/** A statement of SQL, with its lines and its keywords. */
export const sql: Rendering = {
  parts: each((value, name) => {
    if (typeof value !== 'string' || !BEGINS.test(value) || !GOES_ON.test(value)) return false
    // "Update the table" is a sentence, too.
    return wordsOf(name).some((word) => ['sql', 'query', 'statement'].includes(word))
  }),
  Show({ values, names: [name = ''] }) {
    const text = String(values[name])
    const language = languageOf('a.sql')
    return <CodeLines text={text} colours={language ? coloursIn(text, language) : []} name="SQL" />
  },
}
