import { Type } from '@sinclair/typebox'
import { PRICINGS } from '../tool-fields.ts'
import { oneWord, openWord, textField } from '../words.ts'
import { defineField } from './field.ts'

/**
 * What the tool costs. The page shows it at the top, where an ended tool has its end instead, and
 * under "Prices"; the whole Markdown version has a section of its own for prices.
 */
export const PRICING = defineField({
  written: {
    pricing: oneWord('What it costs.', [...PRICINGS, 'subscription', 'unknown']),
    pricingNotes: Type.Optional(textField('Remarks on that.')),
    priceSummary: Type.Optional(textField('The price in a few words.', 500)),
  },
  served: {
    pricing: openWord('What it costs.', PRICINGS),
    pricingNotes: textField('Remarks on that.'),
    priceSummary: textField('The price in a few words.', 500),
  },
  serve: ({ pricing, pricingNotes = '', priceSummary = '' }) => ({
    pricing,
    pricingNotes,
    priceSummary,
  }),
  page: null,
  row: null,
  compare: { place: 50, label: 'Price', value: (served, { priceOf }) => priceOf(served) },
  markdown: null,
  slim: {
    place: 70,
    label: 'Price',
    text: ({ pricing, priceSummary }, { text }) =>
      text(priceSummary ? `${pricing}; ${priceSummary}` : pricing),
  },
  mcp: [
    { place: 40, name: 'pricing', quoted: false, value: ({ pricing }, { word }) => word(pricing) },
    {
      place: 40,
      name: 'price',
      quoted: true,
      value: ({ priceSummary }, { quote }) => quote(priceSummary, 24),
    },
  ],
  imported: true,
  fromCatalogs: true,
})
