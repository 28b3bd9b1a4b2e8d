import { Type } from '@sinclair/typebox'
import { cleanLine } from '../../../platform/text.ts'
import { textField } from '../words.ts'
import { defineField } from './field.ts'

export const LICENSE = defineField({
  written: {
    license: Type.Optional(textField('Licence as an SPDX id, or "proprietary".', 200)),
  },
  served: {
    license: textField('Licence as an SPDX id, or "proprietary"; empty when not known.', 200),
  },
  serve: ({ license = '' }) => ({ license }),
  page: {
    section: 'facts',
    place: 40,
    label: 'Licence',
    value: ({ license }) => cleanLine(license),
  },
  row: null,
  compare: { place: 130, label: 'Licence', value: ({ license }) => cleanLine(license) },
  markdown: {
    place: 90,
    label: 'Licence of the tool',
    text: ({ license }, { text }) => text(license),
  },
  // Part of the line "Is".
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: true,
})
