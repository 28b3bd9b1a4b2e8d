import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import ICAL from 'ical.js'
import { skeletonOf } from './page-skeleton.ts'

/**
 * What a document is made of without its text, in any order: elements, keys, components. Throws
 * for one that a reader of its kind cannot read.
 */
export async function shapeOf(type: string, text: string, origin: string): Promise<string[]> {
  const [kind = ''] = type.split(';')
  if (/[/+]json$/.test(kind)) return ofJson(JSON.parse(text))
  if (/[/+]xml$/.test(kind)) return ofXml(parseXml(text).root as XmlElement)
  if (kind === 'text/calendar') return ofCalendar(new ICAL.Component(ICAL.parse(text)))
  if (kind === 'text/html') return (await skeletonOf(text, origin)).split('\n').toSorted()
  if (kind === 'text/markdown' || kind === 'text/plain') return await ofMarkdown(text, origin)
  return []
}

/** As CommonMark reads it; in front of it there may be a few lines of YAML. */
async function ofMarkdown(text: string, origin: string): Promise<string[]> {
  const [, yaml = '', body = ''] = /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(text) ?? []
  const page = Bun.markdown.html(body)
  const skeleton = (await skeletonOf(page, origin)).split('\n')
  return [...ofJson(yaml ? Bun.YAML.parse(yaml) : null), ...skeleton].toSorted()
}

function ofJson(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return [`${path} ${typeof value}`]
  const entries = Object.entries(value)
  // In a list, and in a map with names of others, the names are text.
  const isText = (key: string) =>
    Array.isArray(value) || /\/models\/?$/.test(path) || !/^[\w.-]+$/.test(key)
  const keys = entries.map(([key, own]) => [isText(key) ? '' : key, own] as const)
  return keys.flatMap(([key, own]) => ofJson(own, `${path}/${key}`)).toSorted()
}

function ofXml(element: XmlElement, path = ''): string[] {
  const own = `${path}/${element.name}[${Object.keys(element.attributes).join(' ')}]`
  const inner = element.children.filter((child): child is XmlElement => child.type === 'element')
  return [own, ...inner.flatMap((child) => ofXml(child, own))].toSorted()
}

function ofCalendar(component: ICAL.Component): string[] {
  const own = component.getAllProperties().map(({ name }) => `${component.name} ${name}`)
  return [component.name, ...own, ...component.getAllSubcomponents().flatMap(ofCalendar)].toSorted()
}
