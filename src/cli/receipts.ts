import { readFileSync, statSync } from 'node:fs'
import { receiptSentence, verifyReceipt } from '../ask/receipts/verify-receipt.ts'
import { EXIT } from '../platform/command.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import { readArguments, subcommand } from '../platform/terminal/arguments.ts'
import { note, noteError, say } from '../platform/terminal/terminal.ts'
import { readTrustedKey } from './trusted-key.ts'

// A receipt has a few thousand bytes; an answer and its note at most 5,000 characters.
const RECEIPT_BYTES_MAX = 1024 * 1024

/** `beckon receipts`: proof of decisions, checked without a server. */
export async function receipts(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { verify })
  return way(rest)
}

async function verify(args: string[]): Promise<number> {
  const options = { key: { type: 'string' }, json: { type: 'boolean' } } as const
  const { key, json, FILE } = readArguments(args, options, ['FILE'])
  const trusted = key === undefined ? undefined : readTrustedKey(key)
  const result = await verifyReceipt(readWhole(FILE), trusted)
  if (json) {
    const { ok: valid, ...more } = result
    say(JSON.stringify({ valid, ...(valid && { trusted: trusted !== undefined }), ...more }))
    return result.ok ? EXIT.done : EXIT.failed
  }
  if (!result.ok) {
    noteError(result.why)
    return EXIT.failed
  }
  say(receiptSentence(result.payload))
  if (!trusted)
    note(`Checked with the key it carries, ${result.kid}; name the server’s with --key.`)
  return EXIT.done
}

function readWhole(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) throw new WrongUsage(`There is no file ${file}.`)
  if (!stat.isFile() || stat.size > RECEIPT_BYTES_MAX) {
    throw new Failure('malformed', `${file} is not a receipt of Beckon.`)
  }
  return readFileSync(file, 'utf8')
}
