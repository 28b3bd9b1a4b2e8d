/** @jsxImportSource preact */

import { ActionBody } from '../action-body.tsx'
import { each, type Rendering } from './rendering.ts'

const HEADER = /^(?:diff --git |@@ -\d|\*\*\* (?:Add|Update|Delete) File: |--- \S.*\n\+\+\+ \S)/m

/** A change with the headers of a diff. */
export const diff: Rendering = {
  parts: each((value) => typeof value === 'string' && HEADER.test(value)),
  Show: ({ values, names: [name = ''] }) => (
    <ActionBody text={String(values[name])} shell={false} />
  ),
}
