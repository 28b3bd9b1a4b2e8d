/** The server that asks for more in the results of its calls, on standard input and output. */
import { appendFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { inputServer } from '../../support/input-server.ts'

serveStdio(() =>
  inputServer((args) => {
    if (process.env.RAN) appendFileSync(process.env.RAN, `${JSON.stringify(['ask', args])}\n`)
  }),
)
