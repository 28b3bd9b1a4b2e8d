import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { stopAgent } from '../../src/ask/answering/stop-agent.ts'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { writeClientFile } from '../../src/platform/config/client-file.ts'
import { connect } from './devices.ts'
import { noSender } from './no-sender.ts'
import { onEnded } from './on-ended.ts'
import { PROGRAM } from './program.ts'
import { pushServer } from './push-server.ts'
import { readInbox } from './read-inbox.ts'
import type { Ran } from './run-command.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'
import { type WholeServer, wholeServer } from './whole-server.ts'

// Hands its standard input on, and ends when the hook does.
const PARENT = ['sh', '-c', 'exec 3<&0; "$@" <&3 & wait', 'sh']

type Json = Record<string, unknown>

/** A hook that was started: `beckon hook CLIENT` as a process of its own. */
type Running = { pid: number; done: Promise<Ran>; kill(signal: NodeJS.Signals): void }

/** A server with a phone that receives, and the machine of an agent whose hooks are the real command. */
export type RelayWorld = AsyncDisposable & {
  house: WholeServer
  home: string
  /** A session nobody has used. */
  session(): string
  /** With `below` the process that is told of, and killed, is one that started the hook. */
  start(
    client: string,
    input: Json | string,
    more?: { env?: Record<string, string>; below?: boolean },
  ): Running
  /** The open questions of a session, once there are so many. */
  asked(sessionId: string, many?: number): Promise<Question[]>
  /** How a question is now. */
  look(question: Question): Promise<Question>
  answer(
    question: Question | undefined,
    value: string | string[],
    more?: { note?: string; forSession?: boolean },
  ): Promise<void>
  stop(question: Question | undefined): Promise<void>
}

export async function relayWorld(setup: { waitSeconds?: number } = {}): Promise<RelayWorld> {
  const push = await pushServer()
  const house = await wholeServer({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { workspaceId, app } = house
  await connect(app.db, { workspaceId, ...push.subscribe('browser') })
  const folder = tempFolder()
  const home = folder.path
  const file = {
    ...{ url: house.url, token: await house.token(), machineId: 'm_test' },
    hookWaitSeconds: setup.waitSeconds ?? 60,
  }
  writeClientFile(file, { HOME: home })
  mkdirSync(join(home, 'proj'))
  const deps = { db: app.db, clock, onEnded: onEnded(noSender) }
  const started = new Set<Bun.Subprocess>()
  let sessions = 0

  return {
    ...{ house, home },
    session: () => `session-${++sessions}`,
    start(client, input, more = {}) {
      const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
      const machine = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
      const hook = [...PROGRAM, 'hook', ...client.split(' ')]
      const child = Bun.spawn(more.below ? [...PARENT, ...hook] : hook, {
        env: { ...Object.fromEntries(inherited), ...machine, ...more.env },
        cwd: home,
        stdin: new Blob([typeof input === 'string' ? input : JSON.stringify(input)]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      started.add(child)
      const output = Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      const done = output.then(([out, err, code]) => ({ code, out, err }))
      return { pid: child.pid, done, kill: (signal) => child.kill(signal) }
    },
    async asked(sessionId, many = 1) {
      let questions: Question[] = []
      await until(async () => {
        const inbox = await readInbox(deps, workspaceId)
        questions = inbox.filter((question) => question.sessionId === sessionId)
        return questions.length === many
      })
      return questions
    },
    async look({ id }) {
      const question = await readQuestion(deps, { workspaceId }, id)
      if (!question) throw new Error('no such question')
      return question
    },
    async answer(question, value, more = {}) {
      const questionId = question?.id ?? 'q_none'
      await answerQuestion(deps, { workspaceId, questionId, value, ...more })
    },
    async stop(question) {
      await stopAgent(deps, { workspaceId, questionId: question?.id ?? 'q_none' })
    },
    async [Symbol.asyncDispose]() {
      for (const child of started) child.kill('SIGKILL')
      await house[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
