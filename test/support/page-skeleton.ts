// What an attribute says beside that it is there: where it leads, what it loads, what it does.
const MATTERS =
  /^(href|src|srcset|action|formaction|method|style|srcdoc|rel|target|type|http-equiv)$/

/**
 * What a page is made of without its text: each element with its attributes, and where they lead.
 * Two pages that differ in text alone are the same here.
 */
export async function skeletonOf(page: string, origin: string): Promise<string> {
  const parts: string[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      const attributes = [...element.attributes].map(([name = '', value = '']) =>
        MATTERS.test(name) || /^(on|hx-)/.test(name) ? `${name}=${shownAs(value, origin)}` : name,
      )
      parts.push(`${element.tagName}[${attributes.join(' ')}]`)
    },
    comments: (comment) => void parts.push(`<!--${comment.text.length > 0 ? '…' : ''}-->`),
  })
  await rewriter.transform(new Response(page)).text()
  return parts.join('\n')
}

/** Ids and queries are not the same twice; of another server only that it is one. */
function shownAs(value: string, origin: string): string {
  const url = URL.parse(value.replaceAll('&amp;', '&'), origin)
  if (!url || !/^(https?:|\/|\?|#)/.test(value)) return value
  if (url.origin !== origin) return 'elsewhere'
  return url.pathname.replace(/\b([a-z]{1,4})_\w+/g, '$1').replace(/(\/a|\/pair)\/[^/]+/, '$1')
}

/** What is read in a page, a line for each piece of text. */
export async function textOf(page: string): Promise<string> {
  let text = ''
  const rewriter = new HTMLRewriter().on('body *', {
    element: () => {
      text += '\n'
    },
    text: (chunk) => {
      text += chunk.text
    },
  })
  await rewriter.transform(new Response(page)).text()
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\n+/g, '\n')
}
