import type { Message } from '../../delivery/model/channel.ts'
import { linkOf, webAddress } from '../../delivery/shorten.ts'
import { toolCall, whoAsks } from '../../questions/model/message-parts.ts'
import { type Question, SOURCE_WORDS } from '../../questions/model/question.ts'
import { questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import { soFar } from '../../questions/model/vote-hint.ts'
import { placesWords } from '../../votes/model/requirement.ts'
import { ACTION_MAX } from '../../wire/action-line.ts'
import type { Contract } from '../../wire/contract.ts'
import { whyDangerous } from '../../wire/danger/destructive.ts'
import { excerptOf } from '../../wire/excerpt.ts'
import { WINDOW_MS } from '../../wire/limits.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'
import { actionWords } from '../../wire/tool-arguments.ts'
import { answerButtons, BUTTON_MAX } from './answer-buttons.ts'
import { type SlackPlace, TELL_ACTION, type TellPlace, tellBlock } from './place.ts'
import { escaped, plainText } from './text.ts'

export type Block = { type: string } & Record<string, unknown>

// Limits of Slack's Block Kit: Header, Section, Image; a little below, since Slack counts its own way.
const HEADER_MAX = 150
const SECTION_MAX = 2_900
const CONTEXT_MAX = 300
const IMAGE_ALT_MAX = 200
const TYPED_MAX = 3_000
// A list of paths may be long; the page has all of it.
const LINES_MAX = 12

export type Telling = {
  message: Message
  /** The question that it asks or speaks of; undefined for a plain notification and a test. */
  question: Question | undefined
  place: SlackPlace | undefined
  /** The session that may be told what to do next. */
  tell?: TellPlace | undefined
  baseUrl: string
  /** Without pictures, which Slack fetches and may refuse. */
  bare: boolean
}

/** A message as Slack shows it: who, what, what happens on yes, and the buttons; never the action body. */
export function blocksFor(telling: Telling): Block[] {
  const { message, question, place, baseUrl, bare } = telling
  const page = linkOf(message, baseUrl)
  const asks = message.question !== undefined && question !== undefined && place !== undefined
  return [
    ...heading(telling),
    ...(message.asked?.first ?? []).map(section),
    ...(question ? factsOf(question) : []),
    ...(question && asks ? [...optionsOf(question)] : []),
    ...(bare ? [] : pictureOf(message, baseUrl)),
    ...(asks ? [...votesOf(question), ...answerButtons(question, place, page)] : []),
    ...(asks ? [until(question)] : []),
    ...(!asks && page && message.kind === 'notification' ? [openButton(page)] : []),
    ...(telling.tell && message.kind === 'notification' ? [tellField(telling.tell)] : []),
  ]
}

/** A field in the message itself; Enter sends it (Block Kit: Input block, `dispatch_action`). */
function tellField(place: TellPlace): Block {
  return {
    type: 'input',
    block_id: tellBlock(place),
    dispatch_action: true,
    optional: true,
    label: plainText('Tell it what to do next', BUTTON_MAX),
    element: {
      type: 'plain_text_input',
      action_id: TELL_ACTION,
      max_length: TYPED_MAX,
      dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
    },
  }
}

/** The largest text is a question's own words; for anything else it is the title. */
function heading({ message, question }: Telling): Block[] {
  const { title, body, urgency } = message
  if (question && question.origin !== 'notification') {
    const words = questionTitle(question)
    const beside = wordsBesideTitle(question)
    if (words.isCommand) {
      return [
        context(whoAsks(question)),
        ...(beside ? [section(beside)] : []),
        ...deedOf(words.text),
      ]
    }
    return [context(title), isShort(words.text) ? header(words.text) : section(words.text)]
  }
  const urgent = urgency === 'high' && message.kind === 'notification' ? [context('Error')] : []
  return [...urgent, header(title), ...(body ? [section(body)] : [])]
}

function isShort(text: string): boolean {
  return text.length < HEADER_MAX && escaped(text).length <= HEADER_MAX && !text.includes('\n')
}

function factsOf(question: Question): Block[] {
  const { detail } = question
  const { effect, risk, context: background, intent, blocker } = detail
  const { action, contract, toolPath, scopePath } = detail
  const why = whyDangerous(question)
  const facts: Array<[string, string | undefined]> = [
    ['Effect', effect],
    ['Risk', risk],
    ['Background', background],
    ['Task', intent],
    ['Waits because', blocker],
    ['Outside the agreed scope', scopePath],
    ['File', toolPath === scopePath || action?.includes(toolPath ?? '') ? undefined : toolPath],
    ...(contract ? contractFacts(contract) : []),
    ['Look first', why],
  ]
  const labelled = facts.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []))
  const deed = questionTitle(question).isCommand
    ? undefined
    : (actionWords(detail) ?? toolCall(detail))
  return [...labelled.map(section), ...deedOf(deed)]
}

function deedOf(deed: string | undefined): Block[] {
  const excerpt = deed && excerptOf(deed, ACTION_MAX).text
  return excerpt ? [context('On yes, this happens:'), code(excerpt)] : []
}

function contractFacts(contract: Contract): Array<[string, string | undefined]> {
  const { allowedPaths, offLimitsPaths, promises = [], doneWhen } = contract
  return [
    ['Only in', lines(allowedPaths)],
    ['Not in', lines(offLimitsPaths)],
    ['Promised', lines(promises)],
    ['Done when', doneWhen],
  ]
}

function lines(list: readonly string[]): string | undefined {
  if (list.length === 0) return undefined
  const more = list.length - LINES_MAX
  const visible = list.slice(0, LINES_MAX).map((line) => `\n• ${line}`)
  return visible.join('') + (more > 0 ? `\nand ${more} more` : '')
}

/** The options in full where a button has no room for one, or says less than there is to say. */
function optionsOf({ choices, detail }: Question): Block[] {
  const tells = choices.some(
    ({ label, description }) => description || escaped(label).length > BUTTON_MAX,
  )
  if (!tells && !detail.multiSelect) return []
  const buttons = choices.map(({ label, description }) =>
    section(`• ${description ? `${label}: ${description}` : label}`),
  )
  return buttons
}

function pictureOf({ imageUrl, title }: Message, baseUrl: string): Block[] {
  const address = imageUrl && webAddress(imageUrl, baseUrl)
  if (!address?.startsWith('https:')) return []
  return [{ type: 'image', image_url: address, alt_text: plainText(title, IMAGE_ALT_MAX).text }]
}

/** Who has to agree, and how many have. */
function votesOf(question: Question): Block[] {
  const { requirement } = question
  if (!requirement) return []
  return [context(`Needs ${placesWords(requirement.places)}: ${soFar(question)} so far.`)]
}

/**
 * Slack shows the time in the reader's time zone, and for a question that lives for hours the day as
 * well; all of this markup is ours.
 */
function until({ createdAt, expiresAt, requirement }: Question): Block {
  const isSoon = expiresAt - createdAt <= WINDOW_MS
  const [day = '', clock = ''] = new Date(expiresAt).toISOString().slice(0, 16).split('T')
  const [format, plain] = isSoon
    ? ['{time}', clock]
    : ['{date_short_pretty} at {time}', `${day} ${clock}`]
  const time = `<!date^${Math.floor(expiresAt / 1_000)}^${format}|${plain} UTC>`
  return {
    type: 'context',
    elements: [
      {
        type: 'mrkdwn',
        text: `Can be answered until ${time}.${requirement ? '' : ' One answer counts.'}`,
      },
    ],
  }
}

function openButton(url: string): Block {
  const open = { type: 'button', action_id: 'open', text: plainText('Open', BUTTON_MAX), url }
  return { type: 'actions', elements: [open] }
}

function header(text: string): Block {
  return { type: 'header', text: plainText(text, HEADER_MAX) }
}

export function section(text: string): Block {
  return { type: 'section', text: plainText(text, SECTION_MAX) }
}

function context(text: string): Block {
  return { type: 'context', elements: [plainText(text, CONTEXT_MAX)] }
}

/** A command as it is: in rich text nothing is markup. */
export function code(text: string): Block {
  const lines = { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }
  return { type: 'rich_text', elements: [lines] }
}

/** How a question ended: what, by whom, where. A typed answer is for the agent, not for the channel. */
export function endWords(question: Question, who: string | undefined): string {
  const { status, type, value, answerSource, endReason } = question
  const by = who ? ` by ${who}` : ''
  if (status === 'answered') {
    const what = type === 'input' ? 'Answered' : `Answered “${value ?? ''}”`
    return `${what}${by}${answerSource ? `, from ${SOURCE_WORDS[answerSource]}` : ''}.`
  }
  const why = status === 'cancelled' && endReason ? `: ${endReason}` : `${by}.`
  return `${WORDS[status]}${why}`
}

const WORDS: Record<Exclude<StoredStatus, 'answered'>, string> = {
  cancelled: 'Withdrawn by the agent',
  expired: 'Expired without an answer',
  stopped: 'The agent was told to stop',
  pending: 'Still open',
  notified: 'Answered in the terminal',
  terminal: 'Answered in the terminal',
}

/** Builds the blocks that replace the question and its buttons. */
export function outcomeBlocks(
  words: string,
  questionText: string,
  agent: string | undefined,
): Block[] {
  return [...(agent ? [context(`${agent} asked`)] : []), section(questionText), context(words)]
}
