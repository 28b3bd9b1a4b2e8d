import type { AskUserInput } from '../../ask/wire/ask-fields.ts'
import { QUESTION_TYPES } from '../../ask/wire/limits.ts'
import type { AskUserResult } from '../../ask/wire/result-fields.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadClientConfig } from '../../platform/config/config-reader.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { asClient } from '../api-client.ts'
import { requireVisible } from './require-visible.ts'
import { readTimeout, waitAndShow } from './wait.ts'

/** `beckon ask`: the answer alone on standard output, and the exit codes that scripts rely on. */
export async function ask(args: string[], readClientConfig: ReadClientConfig): Promise<number> {
  const flags = readArguments(
    args,
    {
      type: { type: 'string' },
      option: { type: 'string', multiple: true },
      timeout: { type: 'string' },
      'no-wait': { type: 'boolean' },
      json: { type: 'boolean' },
    },
    ['QUESTION'],
  )
  const input = readQuestion(flags)
  const ms = flags.timeout === undefined ? undefined : readTimeout(flags.timeout)
  const json = flags.json ?? false
  return await asClient(readClientConfig, async (client) => {
    // Asked without waiting, so that the id is known whatever happens to the wait.
    const opened = await client.call<AskUserResult>('POST', '/questions', { body: input })
    const { correlationId: id } = opened
    if (flags['no-wait'] || !isWorthWaiting(opened))
      return reportOpen(opened, json, flags['no-wait'])
    note(cleanLine(`Asked as ${id}.`))
    noteAddress(opened)
    const { policyTimeoutMs, answerUrl } = opened
    return await waitAndShow(client, id, { ms: ms ?? policyTimeoutMs, json, answerUrl })
  })
}

function readQuestion(flags: {
  QUESTION: string
  type?: string | undefined
  option?: string[] | undefined
}): AskUserInput {
  const options = flags.option
  const type = flags.type ?? (options ? 'select' : 'confirm')
  const questionType = QUESTION_TYPES.find((one) => one === type)
  if (!questionType) throw new WrongUsage(`--type must be one of ${QUESTION_TYPES.join(', ')}.`)
  requireVisible('QUESTION', flags.QUESTION)
  if (questionType === 'select' && !isFitNumber(options)) {
    throw new WrongUsage('A select needs its choices: give --option two to six times.')
  }
  if (questionType !== 'select' && options) {
    throw new WrongUsage(`--option belongs to --type select, not to --type ${questionType}.`)
  }
  for (const option of options ?? []) requireVisible('--option', option)
  return {
    question: flags.QUESTION,
    type: questionType,
    wait: false,
    ...(options ? { options } : {}),
  }
}

function isFitNumber(options: readonly string[] = []): boolean {
  return options.length >= 2 && options.length <= 6
}

/**
 * True if waiting makes sense: a person who cannot be reached is not waited for (QS-RULE-4,
 * QS-RULE-5).
 */
function isWorthWaiting({ status, noDevices, held }: AskUserResult): boolean {
  return status === 'pending' && !noDevices && !held
}

/** At the end of its line and without a full stop, so that it can be copied or clicked. */
function noteAddress({ answerUrl }: AskUserResult): void {
  if (answerUrl) note(cleanLine(`It can be answered at ${answerUrl}`))
}

function reportOpen(question: AskUserResult, json: boolean, isWanted: boolean | undefined): number {
  const { correlationId, warning, hint } = question
  if (json) say(JSON.stringify(question))
  else if (isWanted) say(cleanLine(correlationId))
  const message = warning ?? (isWanted ? undefined : hint)
  if (message) note(cleanLine(message))
  noteAddress(question)
  if (isWanted) return EXIT.done
  const how = `The question stays open; collect its answer with: beckon wait ${correlationId}`
  note(cleanLine(how))
  return EXIT.noAnswer
}
