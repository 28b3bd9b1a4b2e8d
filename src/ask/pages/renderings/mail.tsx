/** @jsxImportSource preact */

import { Prose } from '../marked.tsx'
import type { Rendering, Values } from './rendering.ts'

const HEADERS = ['from', 'to', 'cc', 'bcc', 'replyTo', 'reply_to', 'subject'] as const
const BODIES = ['body', 'text', 'html', 'message'] as const

/** Receivers, subject and body of an e-mail. */
export const mail: Rendering = {
  parts(values) {
    const names = [...HEADERS, ...BODIES].filter((name) => isText(values[name]))
    const saysMore = names.some((name) => name === 'subject' || !isHeader(name))
    return saysMore && addressesIn(values.to).length > 0 ? [names] : []
  },
  title: 'E-mail',
  Show({ values, names }) {
    return (
      <div class="mail">
        <dl>
          {names.filter(isHeader).map((name) => (
            <div>
              <dt>{LABELS[name] ?? name}</dt>
              <dd dir="auto">
                {name === 'subject' ? (
                  <b>
                    <Prose text={textOf(values, name)} />
                  </b>
                ) : (
                  <Prose text={textOf(values, name)} />
                )}
              </dd>
            </div>
          ))}
        </dl>
        {names
          .filter((name) => !isHeader(name))
          .map((name) => (
            <p class="mail-body" dir="auto">
              <Prose text={textOf(values, name)} />
            </p>
          ))}
        <Hosts
          text={names.map((name) => (isHeader(name) ? '' : textOf(values, name))).join('\n')}
        />
      </div>
    )
  },
}

const LABELS: Record<string, string> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: 'Replies to',
  reply_to: 'Replies to',
  subject: 'Subject',
}

function isHeader(name: string): boolean {
  return Object.hasOwn(LABELS, name)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || addressesIn(value).length > 0
}

/** The addresses in an argument that has nothing else. */
function addressesIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,;]/) : []
  const isAddress = (one: unknown) =>
    typeof one === 'string' && /^[^@]*[^\s@]@[^\s@]+$/.test(one.trim())
  return all.length > 0 && all.every(isAddress) ? all : []
}

function textOf(values: Values, name: string): string {
  return [values[name]].flat().join(', ')
}

// More say nothing.
const HOSTS_MAX = 10

/** Where the links in a text lead, whatever their words say. */
function Hosts({ text }: { text: string }) {
  const urls = text.match(/https?:\/\/[^\s"'<>)\]]+/gi) ?? []
  const hosts = [...new Set(urls.flatMap((url) => URL.parse(url)?.host ?? []))]
  if (hosts.length === 0) return null
  const more = hosts.length - HOSTS_MAX
  return (
    <p class="soft">
      Its links lead to{' '}
      {hosts.slice(0, HOSTS_MAX).map((host, at) => (
        <>
          {at > 0 && ', '}
          <b>{host}</b>
        </>
      ))}
      {more > 0 && ` and ${more} more hosts`}.
    </p>
  )
}
