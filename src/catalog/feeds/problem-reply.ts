import { type CatalogProblem, problemDocument } from './problem.ts'

/** What a problem looks like to whoever asked for `path`: in the type of its suffix. */
export type ProblemBody = {
  type: string
  body: string
  headers?: Readonly<Record<string, string>>
}

export type WriteProblem = (problem: CatalogProblem) => ProblemBody

const WRITERS: ReadonlyArray<readonly [RegExp, WriteProblem]> = [
  [/^\/v0\.1\//, asRegistry],
  [/^\/api\/|^\/discovery\/|^\/\.well-known\/|\.json$/, asJson],
  [/\.(md|txt)$/, asMarkdown],
  [/\.ics$/, asCalendar],
  [/\.(atom|xml)$/, asAtom],
]

/** The suffix decides, not `Accept`: a saved link shows the same wherever it is opened. */
export function problemBody(problem: CatalogProblem, path: string, html: WriteProblem = asHtml) {
  const writer = WRITERS.find(([pattern]) => pattern.test(path))?.[1] ?? html
  return writer(problem)
}

function asJson(problem: CatalogProblem): ProblemBody {
  const body = `${JSON.stringify(problemDocument(problem))}\n`
  return { type: 'application/problem+json', body }
}

// As the official registry says it, with all that the catalog says beside it.
function asRegistry(problem: CatalogProblem): ProblemBody {
  const body = `${JSON.stringify({ error: problem.message, ...problemDocument(problem) })}\n`
  return { type: 'application/json', body }
}

function asMarkdown({ title, status, message, code }: CatalogProblem): ProblemBody {
  const text = message.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')
  return {
    type: 'text/markdown; charset=utf-8',
    body: `# ${title}\n\n${text}\n\nStatus ${status}, code \`${code}\`.\n`,
  }
}

// A journal entry is the one component that calendars do not put on a day.
function asCalendar({ title, status, message, code }: CatalogProblem): ProblemBody {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Beckon//Catalog//EN',
    'BEGIN:VJOURNAL',
    `UID:problem-${code}@catalog`,
    'DTSTAMP:19700101T000000Z',
    `SUMMARY:${escapeIcs(`${status} ${title}`)}`,
    `DESCRIPTION:${escapeIcs(message)}`,
    'END:VJOURNAL',
    'END:VCALENDAR',
  ]
  return { type: 'text/calendar; charset=utf-8', body: `${lines.map(folded).join('\r\n')}\r\n` }
}

function asAtom({ title, status, message, code }: CatalogProblem): ProblemBody {
  const body = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:catalog:problem:${code}</id>
  <title>${status} ${escapeXml(title)}</title>
  <subtitle>${escapeXml(message)}</subtitle>
  <updated>1970-01-01T00:00:00Z</updated>
  <author><name>Catalog</name></author>
</feed>
`
  return { type: 'application/atom+xml; charset=utf-8', body }
}

function asHtml({ title, status, message }: CatalogProblem): ProblemBody {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status} ${escapeXml(title)}</title>
<h1>${escapeXml(title)}</h1>
<p>${escapeXml(message)}</p>
<p><a href="/tools">All tools</a></p>
</html>
`
  return { type: 'text/html; charset=utf-8', body }
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

function escapeIcs(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
}

// RFC 5545, 3.1: a line has at most 75 octets; a character has at most four.
function folded(line: string): string {
  const pieces = line.match(/[\u0020-\u007e]{1,70}|[^\u0020-\u007e]{1,17}/gu) ?? []
  return pieces.join('\r\n ')
}
