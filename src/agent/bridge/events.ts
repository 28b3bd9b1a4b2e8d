// The longest result is far below this; whatever sends more is no Beckon server.
/** In characters. */
export const EVENT_MAX = 4 * 1024 * 1024

/**
 * The data of each event of a `text/event-stream` as it comes; comments are silent. Throws when an
 * event never ends.
 */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text = (text + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n')
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) break
      const data = dataOf(text.slice(0, end))
      text = text.slice(end + 2)
      if (data !== '') yield data
    }
    if (text.length > EVENT_MAX) throw new Error('an event is too long')
  }
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n')
}
