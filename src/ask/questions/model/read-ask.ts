import { type WrongField, wrongFields } from '../../../platform/failure.ts'
import { newId } from '../../../platform/ids.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import {
  cleanLine,
  cleanText,
  codePoints,
  cutText,
  isBlank,
  MUST_BE_SEEN,
} from '../../../platform/text.ts'
import type { Caller } from '../../accounts/model/agent.ts'
import { actionLine, redactedLine } from '../../wire/action-line.ts'
import type { AskInput, AskUserInput } from '../../wire/ask-fields.ts'
import { agentLine, shortLine, targetLine } from '../../wire/call-facts.ts'
import { readSchema } from '../../wire/form.ts'
import { lookOf } from '../../wire/letters.ts'
import { WINDOW_MS } from '../../wire/limits.ts'
import { QUESTION_MAX } from '../../wire/question-fields.ts'
import { readingOfAsk } from '../../wire/reading/of-ask.ts'
import { isForShell } from '../../wire/reading/other-shells.ts'
import { type ForShell, redactCommand } from '../../wire/reading/redact.ts'
import { targetingOf } from '../../wire/targeting.ts'
import { readEdit } from './edit.ts'
import { type CallName, keyOfCall } from './key.ts'
import type { AnswerChoice, AskDraft, Question, QuestionDetail } from './question.ts'

const LINE_MAX = 500
const BODY_MAX = 4_000

/**
 * Reads the input of `ask_user`: cut, cleaned, with its times. Throws `invalid_input` for errors
 * that the rules of single fields do not catch.
 */
export function readAsk(input: AskInput, caller: Caller): AskDraft {
  const rich = input.questions?.[0]
  const type = typeOf(input)
  if (!rich && type === 'select' && !input.options) {
    throw wrongFields([{ field: 'options', must: 'is required when type is select' }])
  }
  const now = caller.arrivedAt
  const text = cleanText(rich?.question ?? input.question)
  const question = cutText(text, QUESTION_MAX)
  const choices = choicesOf(input, type)
  const blank = blankField(question, choices, rich !== undefined)
  if (blank) throw wrongFields([{ field: blank, must: MUST_BE_SEEN }])
  const alike = alikeField(choices, rich !== undefined)
  if (alike) throw wrongFields([alike])
  const test = isTest(input.env, caller)
  const id = newId('q', now)
  const draft: AskDraft = {
    id,
    workspaceId: caller.workspaceId,
    tokenId: caller.tokenId,
    origin: 'ask',
    type,
    question,
    choices,
    detail: detailOf(input, text, now),
    agentName: agentNameOf(input.agentName, caller),
    machineId: shortLine(input.machineId),
    sessionId: shortLine(input.sessionId),
    repoKey: shortLine(input.repoKey),
    targeting: targetingOf(input),
    test,
    held: test ? 'test_traffic' : undefined,
    key: undefined,
    status: 'pending',
    createdAt: now,
    expiresAt: now + WINDOW_MS,
    callbackUrl: input.callbackUrl,
    notificationId: undefined,
    abandonedAt: undefined,
    value: undefined,
    note: undefined,
    answerSource: undefined,
    answeredBy: undefined,
    answeredAs: undefined,
    answeredOn: undefined,
    endedAt: undefined,
    endReason: undefined,
    endedByToken: undefined,
  }
  const name = nameOf(input, id)
  return name ? { ...draft, key: keyOfCall(draft, name) } : draft
}

/** A question with a form is answered in its fields alone. */
function typeOf({ questions, schema, type }: AskInput): Question['type'] {
  if (schema === undefined) return questions?.[0] ? 'select' : (type ?? 'confirm')
  if (questions === undefined && (type ?? 'input') === 'input') return 'input'
  throw wrongFields([{ field: 'schema', must: 'must be left out unless type is input' }])
}

/**
 * True for test traffic: if the call, the connection or the token says so; all have the same
 * effect.
 */
export function isTest(env: 'test' | undefined, caller: Caller): boolean {
  return env === 'test' || caller.testConnection || caller.test
}

/** The caller's name for people: the one it gives, otherwise its client's, otherwise its token's. */
export function agentNameOf(requestedName: string | undefined, caller: Caller): string | undefined {
  return agentLine(requestedName ?? caller.client ?? caller.tokenName)
}

/** The first field that is empty after cleaning. */
function blankField(
  question: string,
  choices: AnswerChoice[],
  isRich: boolean,
): string | undefined {
  if (isBlank(question)) return isRich ? 'questions[0].question' : 'question'
  const index = choices.findIndex(({ label }) => isBlank(label))
  if (index < 0) return undefined
  return isRich ? `questions[0].options[${index}].label` : `options[${index}]`
}

/** The first option that equals an earlier one, or looks like it: a person could not choose. */
function alikeField(choices: AnswerChoice[], isRich: boolean): WrongField | undefined {
  const looks = choices.map(({ label }) => lookOf(label))
  const index = looks.findIndex((look, at) => looks.indexOf(look) < at)
  if (index < 0) return undefined
  const field = isRich ? `questions[0].options[${index}].label` : `options[${index}]`
  const first = choices[looks.indexOf(looks[index] ?? '')]
  const isEqual = first?.label === choices[index]?.label
  return { field, must: `must ${isEqual ? 'differ' : 'look different'} from every other option` }
}

function choicesOf(input: AskUserInput, type: Question['type']): AnswerChoice[] {
  const rich = input.questions?.[0]
  if (rich) {
    return rich.options.map(({ label, description }) => ({
      label: cleanLine(label),
      ...(description === undefined ? {} : { description: cleanText(description) }),
    }))
  }
  if (type !== 'select') return []
  return (input.options ?? []).map((label) => ({ label: cleanLine(label) }))
}

function detailOf(input: AskInput, question: string, now: number): Question['detail'] {
  const rich = input.questions?.[0]
  const is = { isShell: isForShell(input) }
  const action = input.action ? actionLine(input.action, isAction(input)) : undefined
  // Redacting nothing takes a tenth of an ask, and most questions have no body.
  const body = input.actionBody && redactCommand(cleanText(input.actionBody), is)
  const cut = cutOf(input, { question, body: body ?? '', actionMissing: action?.missing ?? 0 })
  return present({
    placeholder: shortLine(input.placeholder),
    context: input.context && cleanText(input.context),
    action: action?.text,
    actionBody: body && cutText(body, BODY_MAX),
    blocker: shortLine(input.blocker),
    intent: shortLine(input.intent),
    header: shortLine(rich?.header),
    multiSelect: rich?.multiSelect || undefined,
    allowOther: rich?.allowOther || undefined,
    toolName: shortLine(input.toolName),
    toolTarget: targetLine(input),
    toolPath: input.toolPath && cleanLine(input.toolPath),
    scopePath: shortLine(input.scopePath),
    permissionMode: shortLine(input.permissionMode),
    // Only these values mean anything; any other is ignored.
    localSurfaceAvailable: input.localSurfaceAvailable === false ? false : undefined,
    pausedAware: input.pausedAware === true ? true : undefined,
    sessionToolAware: input.sessionToolAware,
    sessionAllows: sessionAllows(input),
    cut: cut?.digest,
    missing: cut?.missing,
    hookWaitsUntil: hookWaitsUntil(input.waitEndsAt, now),
    exact: exactOf(input),
    reading: readingOfAsk(input),
    actionHash: input.byHook ? input.actionHash : undefined,
    toolSettings: toolSettings(input),
    notWaited: input.wait === false ? true : undefined,
    effect: input.effect && cleanText(input.effect),
    risk: input.risk,
    form: input.schema && readSchema(input.schema),
    edit: input.edit && readEdit(input, body),
    lifeMs: input.lifeMs,
  })
}

/**
 * Returns the part of the texts that is not stored: the digest distinguishes those that were cut to
 * the same words, `missing` counts what no page can show. Undefined if all is stored. An action
 * that the body repeats in full is not missing.
 */
function cutOf(input: AskInput, texts: { question: string; body: string; actionMissing: number }) {
  const { action = '', blocker = '' } = input
  const { question, body } = texts
  const missing = {
    question: over(question, QUESTION_MAX),
    blocker: over(cleanLine(blocker), LINE_MAX),
    body: over(body, BODY_MAX),
  }
  const others = missing.question + missing.blocker + missing.body
  if (others + texts.actionMissing === 0) return undefined
  const line = redactedLine(action, isAction(input))
  const isRepeated = missing.body === 0 && cleanLine(body).includes(line)
  return {
    digest: sha256(
      JSON.stringify([question, action, blocker, ...(missing.body > 0 ? [body] : [])]),
    ),
    missing: others + (isRepeated ? 0 : texts.actionMissing),
  }
}

/** A hook puts the lines of a command on one, so that words of several commands may look like one. */
function isAction(input: AskInput): ForShell {
  const isShort = input.byHook === true && input.actionBody !== undefined
  return { isShell: isShort ? false : isForShell(input) }
}

function over(text: string, most: number): number {
  return Math.max(0, codePoints(text) - most)
}

/** Only a yes-or-no answer can be given for a session, and only if the client supports it. */
function sessionAllows({ sessionToolAware, sessionAllows: allowTexts, questions, type }: AskInput) {
  const isConfirm = !questions && (type ?? 'confirm') === 'confirm'
  const allows = (allowTexts ?? []).map((text) => redactedLine(text)).filter(Boolean)
  return sessionToolAware && isConfirm && allows.length > 0 ? allows : undefined
}

/** The call to the letter, if the hook knows it and the folder it runs in. */
function exactOf({ byHook, exact, cwd }: AskInput): QuestionDetail['exact'] {
  if (!byHook || !exact || cwd === undefined) return undefined
  return { argumentsHash: exact.argumentsHash, arguments: exact.arguments, cwd }
}

function toolSettings({
  byHook,
  toolSettings: settings,
}: AskInput): QuestionDetail['toolSettings'] {
  if (!byHook) return undefined
  return settings?.map(({ name, value }) => ({
    name: cleanLine(name) || '?',
    value: redactedLine(value),
  }))
}

/** An instant while the question can still be answered, even if the hook's clock is wrong. */
function hookWaitsUntil(until: string | undefined, now: number): number | undefined {
  if (until === undefined) return undefined
  return Math.min(Math.max(Date.parse(until), now), now + WINDOW_MS)
}

/** Without undefined fields. */
function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const partial: Partial<T> = {}
  for (const name of Object.keys(fields) as Array<keyof T>) {
    const value = fields[name]
    if (value !== undefined && value !== '') partial[name] = value
  }
  return partial as T
}

/** A hook that names no call asks a new question each time. */
function nameOf({ toolUseId, requestId, byHook }: AskInput, own: string): CallName | undefined {
  const by = byHook ? 'hook' : 'model'
  if (toolUseId) return { kind: 'tool', id: toolUseId, by, call: requestId }
  const id = requestId || (byHook && own)
  return id ? { kind: 'request', id, by } : undefined
}
