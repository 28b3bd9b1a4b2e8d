import { readFileSync } from 'node:fs'
import type { SendNotificationResult } from '../../ask/wire/notification-fields.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadClientConfig } from '../../platform/config/config-reader.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { asClient } from '../api-client.ts'
import { requireVisible } from './require-visible.ts'

/** `beckon notify`: a one-way message; reaching nobody is a success that says so. */
export async function notify(args: string[], readClientConfig: ReadClientConfig): Promise<number> {
  const flags = readArguments(
    args,
    {
      context: { type: 'string' },
      tag: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    },
    ['TITLE', 'BODY'],
  )
  requireVisible('TITLE', flags.TITLE)
  requireVisible('BODY', flags.BODY)
  const body = {
    title: flags.TITLE,
    body: flags.BODY,
    ...(flags.tag ? { tags: flags.tag } : {}),
    ...(flags.context === undefined ? {} : { context: await readContext(flags.context) }),
  }
  return await asClient(readClientConfig, async (client) => {
    const result = await client.call<SendNotificationResult>('POST', '/notifications', { body })
    if (flags.json) say(JSON.stringify(result))
    else say(cleanLine(summary(result)))
    if (result.warning) note(cleanLine(result.warning))
    return EXIT.done
  })
}

function summary({ sent: count, linkedCorrelationId }: SendNotificationResult): string {
  const devices = `Sent to ${count} ${count === 1 ? 'device' : 'devices'}.`
  if (linkedCorrelationId === undefined) return devices
  return `${devices} Collect the answer with: beckon wait ${linkedCorrelationId}`
}

/** The `context` object of the detail page, from a file or standard input. */
async function readContext(from: string): Promise<unknown> {
  const text = from === '-' ? await Bun.stdin.text() : readFile(from)
  try {
    return JSON.parse(text)
  } catch {
    const name = from === '-' ? 'Standard input' : from
    throw new WrongUsage(`${name} is not JSON; --context takes the JSON object of a detail page.`)
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new WrongUsage(`--context names ${path}, which cannot be read (${code}).`)
  }
}
