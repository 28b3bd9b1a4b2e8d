/** @jsxImportSource preact */

import { CodeLines } from '../action-body.tsx'
import { coloursIn, languageOf } from '../syntax/colours.ts'
import { each, type Rendering } from './rendering.ts'

// Deep lists take a thousand times their length when they are indented.
const TEXT_MAX = 20_000

/** A list or an object, as JSON. */
export const json: Rendering = {
  parts: each((value) => typeof value === 'object' && value !== null),
  Show({ values, names: [name = ''] }) {
    const indented = JSON.stringify(values[name], undefined, 2)
    const text = indented.length > TEXT_MAX ? JSON.stringify(values[name]) : indented
    const language = languageOf('a.json')
    return <CodeLines text={text} colours={language ? coloursIn(text, language) : []} name="JSON" />
  },
}
