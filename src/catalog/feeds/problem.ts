import { Type } from '@sinclair/typebox'
import { Failure, type FailureCode, failureKind, type OwnFailure } from '../../platform/failure.ts'
import { problemOf } from '../../platform/http/errors.ts'
import { closed, openWord, slug, textField, texts } from '../records/words.ts'
import { icsFile, icsText } from './calendar/ics.ts'
import { CURSOR_MISMATCH, INVALID_PARAMETER, NOT_ACCEPTABLE, REVISION_EXPIRED } from './failures.ts'
import { xmlLine } from './markdown/shown-text.ts'

/** Every failure that addresses of the catalog may throw; anything else is a bug. */
const KINDS: ReadonlyArray<FailureCode | OwnFailure> = [
  'not_found',
  'gone',
  INVALID_PARAMETER,
  CURSOR_MISMATCH,
  REVISION_EXPIRED,
  'method_not_allowed',
  'rate_limited',
  NOT_ACCEPTABLE,
  'internal',
  'unavailable',
]
const CODES = KINDS.map((kind) => failureKind(kind).code)

/** True if `thrown` is shown to readers as it is. */
export function isForReaders(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && CODES.includes(thrown.code)
}

/** The document that `problemDocument` makes. */
export const ProblemDocument = closed(
  {
    type: Type.String({ format: 'uri-reference', description: 'Always `about:blank`.' }),
    title: textField('What is wrong, the same for each code.', 200),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the answer.' }),
    detail: textField('What happened, and what to do.'),
    code: openWord('Name of the problem; stays.', CODES),
    parameter: Type.Optional(textField('The parameter that is wrong.', 64)),
    allowed: Type.Optional(texts('What it may be; without a parameter, which there are.')),
    replacement: Type.Optional(slug('Took the place of the one that is gone.')),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds after which trying again makes sense.' }),
    ),
  },
  'What went wrong (RFC 9457).',
)

/** The same at the addresses of the MCP registry, whose clients read `error`. */
export const RegistryProblemDocument = closed(
  { error: textField('What happened, and what to do.'), ...ProblemDocument.properties },
  'What went wrong, in the words of the MCP registry and of RFC 9457.',
)

/** The problem document of RFC 9457, with the time after which to try again. */
function problemDocument(failure: Failure) {
  const { retryAfter } = failure
  return { ...problemOf(failure), ...(retryAfter === undefined ? {} : { retryAfter }) }
}

/** The body of a problem in the media type of the requested suffix. */
export type ProblemBody = {
  type: string
  body: string
  headers?: Readonly<Record<string, string>>
}

export type WriteProblem = (problem: Failure) => ProblemBody

const WRITERS: ReadonlyArray<readonly [RegExp, WriteProblem]> = [
  [/^\/v0\.1\//, asRegistry],
  [/^\/api\/|^\/discovery\/|^\/\.well-known\/|\.json$/, asJson],
  [/\.(md|txt)$/, asMarkdown],
  [/\.ics$/, asCalendar],
  [/\.(atom|xml)$/, asAtom],
]

/** The suffix decides, not `Accept`, so that a link looks the same wherever it is opened. */
export function problemBody(problem: Failure, path: string, html: WriteProblem = asHtml) {
  const writer = WRITERS.find(([pattern]) => pattern.test(path))?.[1] ?? html
  return writer(problem)
}

function asJson(problem: Failure): ProblemBody {
  const body = `${JSON.stringify(problemDocument(problem))}\n`
  return { type: 'application/problem+json', body }
}

// The form of the official registry, plus the catalog's own fields.
function asRegistry(problem: Failure): ProblemBody {
  const body = `${JSON.stringify({ error: problem.message, ...problemDocument(problem) })}\n`
  return { type: 'application/json', body }
}

function asMarkdown({ title, status, message, code }: Failure): ProblemBody {
  const text = message.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')
  return {
    type: 'text/markdown; charset=utf-8',
    body: `# ${title}\n\n${text}\n\nStatus ${status}, code \`${code}\`.\n`,
  }
}

// A journal entry is the only component that calendars do not show on a day.
function asCalendar({ title, status, message, code }: Failure): ProblemBody {
  const body = icsFile([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Beckon//Catalog//EN'],
    ['BEGIN', 'VJOURNAL'],
    ['UID', `problem-${code}@catalog`],
    ['DTSTAMP', '19700101T000000Z'],
    ['SUMMARY', icsText(`${status} ${title}`)],
    ['DESCRIPTION', icsText(message)],
    ['END', 'VJOURNAL'],
    ['END', 'VCALENDAR'],
  ])
  return { type: 'text/calendar; charset=utf-8', body }
}

function asAtom({ title, status, message, code }: Failure): ProblemBody {
  const body = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:catalog:problem:${code}</id>
  <title>${status} ${xmlLine(title)}</title>
  <subtitle>${xmlLine(message)}</subtitle>
  <updated>1970-01-01T00:00:00Z</updated>
  <author><name>Catalog</name></author>
</feed>
`
  return { type: 'application/atom+xml; charset=utf-8', body }
}

function asHtml({ title, status, message }: Failure): ProblemBody {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status} ${xmlLine(title)}</title>
<h1>${xmlLine(title)}</h1>
<p>${xmlLine(message)}</p>
<p><a href="/tools">All tools</a></p>
</html>
`
  return { type: 'text/html; charset=utf-8', body }
}
