import { Type } from '@sinclair/typebox'
import { closed, oneWord, sourceLink, textField } from '../words.ts'
import { PaidEndpoint, X402, X402_LEVELS } from '../x402.ts'
import { defineField } from './field.ts'

/**
 * Payments per call. Each form of the record has a section of its own for them, and the row that
 * compares them says if the tool ended.
 */
export const PAYMENTS = defineField({
  written: {
    x402: Type.Optional(
      closed({
        level: oneWord('Whether calls can be paid one by one.', X402_LEVELS),
        evidence: Type.Optional(textField('What shows it.')),
        source: Type.Optional(sourceLink('Where it can be read; needed for prices.')),
        endpoints: Type.Optional(
          Type.Array(
            closed({
              ...PaidEndpoint.properties,
              method: Type.Optional(
                oneWord('How it is called; without it what the address itself says.', [
                  'GET',
                  'POST',
                ]),
              ),
              source: Type.Optional(sourceLink('Where the price was read.')),
            }),
          ),
        ),
      }),
    ),
  },
  served: { x402: Type.Optional(X402) },
  serve: (_written, { x402 }) => (x402 ? { x402 } : {}),
  page: null,
  row: null,
  compare: null,
  markdown: null,
  slim: null,
  mcp: [
    {
      place: 50,
      name: 'x402',
      quoted: false,
      value: ({ x402 }, { word }) => x402 && word(x402.level),
    },
  ],
  imported: true,
  // The import of catalogs names the other record as the source.
  fromCatalogs: false,
})
