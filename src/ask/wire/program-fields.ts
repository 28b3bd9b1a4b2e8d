import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { AskUserInput } from './ask-fields.ts'
import { LONG_LIFE_MAX_MS, WINDOW_MS } from './limits.ts'

/** How much a yes may do, as the program says. */
export const RISKS = ['low', 'medium', 'high'] as const
export type Risk = (typeof RISKS)[number]

/**
 * Input of `POST /questions`: that of `ask_user`, with what only a program can send. The tool over
 * MCP keeps its own fields.
 */
export const ProgramAskInput = Type.Object(
  {
    ...AskUserInput.properties,
    effect: Type.Optional(
      Type.String({ maxLength: 500, description: 'What a yes does, in a sentence.' }),
    ),
    risk: Type.Optional(
      oneOf(RISKS, {
        description: 'high is never answered with one tap, and a yes to it is asked twice.',
      }),
    ),
    schema: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'With type input, which it implies: a form of 1 to 10 fields as JSON Schema (an object of string, string with enum, string with format date, number, integer, boolean, array of string). The value is then the answer as JSON text.',
        },
      ),
    ),
    edit: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'With type confirm, requestId action:HASH and the arguments as a JSON object in actionBody: those that the person may change before a yes, as a schema like that of a form. If they changed one, value is the JSON text of all of these, and the permit is bound to it.',
        },
      ),
    ),
    lifeMs: Type.Optional(
      Type.Integer({
        minimum: WINDOW_MS,
        maximum: LONG_LIFE_MAX_MS,
        description:
          'How long the question stays open, in milliseconds, at most the longLifeMs of the policy. Its requestId asks anew once nobody answered in that time.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ProgramAskInput = Static<typeof ProgramAskInput>
