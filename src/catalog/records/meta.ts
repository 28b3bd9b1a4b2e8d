import { type Static, Type } from '@sinclair/typebox'
import { closed, day, link, textField } from './words.ts'

/** The block of every feed. */
export const Meta = closed(
  {
    attribution: textField('Credit line for the data.'),
    docs: link('Documentation page.'),
    generatedAt: day('Day of generation.'),
    license: Type.String({ description: 'Licence of the data.', examples: ['CC-BY-4.0'] }),
    method: link('Methodology page.'),
    methodology: Type.String({ description: 'Version of the methodology.' }),
    openapi: link('Machine-readable description of the feeds.'),
    preview: Type.Boolean({ description: 'False for published data.' }),
    run: day('Day of the research run.'),
    runLabel: Type.String({ description: 'Label of the research run.' }),
  },
  'What stands in every feed.',
)
export type Meta = Static<typeof Meta>
