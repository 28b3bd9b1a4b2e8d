import { diffArrays } from 'diff'
import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { DEFAULT_VISIBILITY } from '../../accounts/model/person.ts'
import { DEFAULT_POLICY } from '../../policy/model/policy.ts'
import { isSameName } from '../../telling/model/channel.ts'
import type { ChannelsInFile } from './channels-in-file.ts'
import {
  isDuration,
  type PolicyFile,
  type RuleInFile,
  timeText,
  type WholeFile,
} from './policy-file.ts'
import { readPolicyFile } from './read-policy-file.ts'

// Programs that read YAML 1.1 take 22:00 for a number and `no` for false.
const READ = { version: '1.2', schema: 'core', compat: 'yaml-1.1', logLevel: 'error' } as const
const STYLE = { lineWidth: 0, flowCollectionPadding: false } as const

type Written = { file: WholeFile; schemaUrl: string; digest: string }

/** A new file. Its first lines name the schema for editors, and the state that it shows. */
export function newPolicyText({ file, schemaUrl, digest }: Written): string {
  const document = new Document(inText(withoutDefaults(file)), READ)
  const head = `# yaml-language-server: $schema=${schemaUrl}\n${BASE} ${digest}\n`
  return head + document.toString(STYLE)
}

const BASE = '# beckon-state:'
const BASE_LINE = /^# beckon-state: ([0-9a-f]{64})$/m

/** The digest of the state that a file was exported from. */
export function baseIn(text: string): string | undefined {
  return BASE_LINE.exec(text)?.[1]
}

/**
 * Brings an existing file up to date: what is the same stays as it is written, with its comments and
 * its order. Throws if the file cannot be read.
 */
export function updatedPolicyText(text: string, written: Written): string {
  const { value: before } = readPolicyFile(text)
  if (!before) return newPolicyText(written)
  const { file, digest } = written
  const now = withoutDefaults(file)
  const document = parseDocument(text, READ)
  const parts = withoutNewEmpty(before, {
    ...sameEmpty(before),
    ...now,
    ...sameChannels(before.channels, now.channels),
    ...(before.policy && sameDefaults(before.policy, now.policy)),
    rules: sameModes(before.rules, now.rules),
  })
  if (!isMap(document.contents)) return newPolicyText(written)
  const isSame = Bun.deepEquals(normal(before), normal(parts))
  if (!isSame) patchMap(document, document.contents, before, parts)
  const body = isSame ? text : keepLines(text, document.toString(STYLE))
  return BASE_LINE.test(body)
    ? body.replace(BASE_LINE, `${BASE} ${digest}`)
    : `${BASE} ${digest}\n${body}`
}

/** The library writes some lines otherwise than a person did: those that mean the same are kept. */
function keepLines(text: string, edited: string): string {
  const lines = text.split('\n')
  const rewritten = parseDocument(text, READ).toString(STYLE).split('\n')
  if (rewritten.length !== lines.length) return edited
  let at = 0
  return diffArrays(rewritten, edited.split('\n'))
    .flatMap(({ value, added, removed }) => {
      if (added) return value
      const old = removed ? [] : lines.slice(at, at + value.length)
      at += value.length
      return old
    })
    .join('\n')
}

function normal(file: PolicyFile) {
  return JSON.parse(JSON.stringify(file))
}

/** Fields of the policy that have their default are left out. */
function withoutDefaults(file: WholeFile): WholeFile {
  const policy = Object.fromEntries(
    Object.entries(file.policy).filter(
      ([name, value]) =>
        !Bun.deepEquals(value, DEFAULT_POLICY[name as keyof typeof DEFAULT_POLICY]),
    ),
  )
  return { ...file, policy }
}

/** A default that somebody wrote out stays written. */
function sameDefaults(before: object, now: object) {
  const explicit = Object.entries(DEFAULT_POLICY).filter(
    ([name, value]) => name in before && !(name in now) && value !== undefined,
  )
  return { policy: { ...Object.fromEntries(explicit), ...now } }
}

function sameModes(before: readonly RuleInFile[] = [], now: readonly RuleInFile[]): RuleInFile[] {
  const explicit = new Set(before.filter(({ mode }) => mode === 'enforce').map(({ id }) => id))
  return now.map((rule) =>
    rule.mode === undefined && explicit.has(rule.id) ? { ...rule, mode: 'enforce' } : rule,
  )
}

function isEmpty(part: object | undefined): boolean {
  return part !== undefined && Object.keys(part).length === 0
}

/** A part that says nothing is not added. */
function withoutNewEmpty(before: PolicyFile, now: PolicyFile): PolicyFile {
  const { policy, groups, rules, ...others } = now
  const isShown = (name: 'policy' | 'groups' | 'rules') => before[name] || !isEmpty(now[name])
  return {
    ...others,
    ...(isShown('policy') && { policy }),
    ...(isShown('groups') && { groups }),
    ...(isShown('rules') && { rules }),
  }
}

/** A part that says nothing stays written. */
function sameEmpty({ protect, visibility, rotas, channels }: PolicyFile) {
  return {
    ...(protect === null && { protect }),
    ...(visibility === DEFAULT_VISIBILITY && { visibility }),
    ...(isEmpty(rotas) && { rotas }),
    ...(isEmpty(channels) && { channels }),
  }
}

/** The connected channels, those of the file as it writes them. */
function sameChannels(before: ChannelsInFile = {}, now: ChannelsInFile = {}) {
  const isIn = (list: ChannelsInFile, name: string) =>
    Object.keys(list).some((one) => isSameName(one, name))
  const old = Object.entries(before).filter(([name]) => isIn(now, name))
  const added = Object.entries(now).filter(([name]) => !isIn(before, name))
  const all = [...old, ...added]
  return all.length > 0 ? { channels: Object.fromEntries(all) } : {}
}

type Fields = Record<string, unknown>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Changes the fields of a mapping that differ, and leaves the others as they are written. */
function patchMap(document: Document, map: YAMLMap, before: Fields, now: Fields): void {
  unfoldEmpty(map)
  for (const name of Object.keys(before)) if (now[name] === undefined) map.delete(name)
  for (const [name, value] of Object.entries(now)) {
    const old = before[name]
    if (value === undefined || Bun.deepEquals(old, value)) continue
    const node = map.get(name, true) as unknown
    if (isMap(node) && isFields(old) && isFields(value)) patchMap(document, node, old, value)
    else if (isSeq(node) && areRules(old) && areRules(value)) patchRules(document, node, old, value)
    else map.set(name, nodeOf(document, value, name))
  }
}

/** `[]` and `{}` are filled in lines of their own: in one line nobody could read what comes. */
function unfoldEmpty(node: YAMLMap | YAMLSeq): void {
  if (node.items.length === 0) node.flow = false
}

function nodeOf(document: Document, value: unknown, name: string): unknown {
  const text = inText(value, name)
  return typeof text === 'object' && text !== null ? document.createNode(text) : text
}

type Named = Fields & { id: string }

function areRules(value: unknown): value is Named[] {
  return Array.isArray(value) && value.every((one) => isFields(one) && typeof one.id === 'string')
}

function patchRules(document: Document, list: YAMLSeq, before: Named[], now: Named[]): void {
  unfoldEmpty(list)
  const nodes = new Map(before.map(({ id }, at) => [id, list.items[at]]))
  const old = new Map(before.map((rule) => [rule.id, rule]))
  list.items = now.map((rule) => {
    const node = nodes.get(rule.id)
    if (!isMap(node)) return document.createNode(inText(rule))
    patchMap(document, node, old.get(rule.id) ?? {}, rule)
    return node
  })
}

/** The same value with times as people write them. */
function inText(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => inText(one, key))
  if (isFields(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => [name, inText(one, name)]),
    )
  }
  if (typeof value !== 'number' || !isDuration(key) || value === 0) return value
  return timeText(value)
}
