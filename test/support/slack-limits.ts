export type Json = Record<string, unknown>

/** What Slack's Block Kit refuses, as far as our blocks can go wrong; undefined when they are fine. */
export function checkBlocks(blocks: Json[], most: number): string | undefined {
  if (blocks.length > most) return `more than ${most} blocks`
  return blocks.map(checkBlock).find((wrong) => wrong !== undefined)
}

export function checkView(view: Json): string | undefined {
  for (const name of ['title', 'submit', 'close']) {
    const wrong = view[name] && checkText(view[name], 24)
    if (wrong) return `invalid_arguments: ${name} ${wrong}`
  }
  if (String(view.private_metadata ?? '').length > 3_000) return 'invalid_arguments'
  const blocks = view.blocks as Json[]
  if (blocks.some(({ type }) => type === 'input') && !view.submit) return 'invalid_arguments'
  return checkBlocks(blocks, 100)
}

function checkBlock(block: Json): string | undefined {
  switch (block.type) {
    case 'header':
      return checkText(block.text, 150)
    case 'section':
      return checkText(block.text, 3_000)
    case 'context':
      return first(block.elements, (element) => checkText(element, 2_000))
    case 'image':
      return String(block.image_url).length <= 3_000 && block.alt_text ? undefined : 'image'
    case 'actions':
      return checkActions(block.elements as Json[])
    case 'rich_text':
      return JSON.stringify(block).includes('"text":""') ? 'empty text' : undefined
    case 'input':
      return checkText(block.label, 2_000) ?? checkElement(block.element as Json)
    default:
      return `unknown block ${block.type}`
  }
}

function checkActions(elements: Json[]): string | undefined {
  if (elements.length === 0 || elements.length > 25) return 'actions need 1 to 25 elements'
  const ids = elements.map(({ action_id }) => action_id)
  if (new Set(ids).size < ids.length) return 'action_id is used twice'
  return first(elements, checkElement)
}

function checkElement(element: Json): string | undefined {
  const { type } = element
  if (type === 'button') {
    if (String(element.value ?? '').length > 2_000) return 'value too long'
    return (
      checkText(element.text, 75) ??
      (element.confirm ? checkDialog(element.confirm as Json) : undefined)
    )
  }
  if (type === 'plain_text_input') {
    if (Number(element.max_length ?? 1) > 3_000) return 'max_length'
    return element.placeholder ? checkText(element.placeholder, 150) : undefined
  }
  const options = element.options as Json[]
  if (options.length === 0 || options.length > 10) return 'options'
  return first(options, ({ text, value, description }) => {
    if (String(value).length > 150) return 'option value'
    return checkText(text, 75) ?? (description ? checkText(description, 75) : undefined)
  })
}

function checkDialog({ title, text, confirm, deny }: Json): string | undefined {
  return (
    checkText(title, 100) ?? checkText(text, 300) ?? checkText(confirm, 30) ?? checkText(deny, 30)
  )
}

/** A text object: not empty, not too long, and plain text without a control sequence. */
function checkText(value: unknown, most: number): string | undefined {
  const { type, text } = value as { type: string; text: string }
  if (!text || text.length > most) return `text of ${text?.length} of ${most}`
  if (type === 'mrkdwn') return undefined
  return /[<>]|&(?!(amp|lt|gt);)/.test(text) ? `not escaped: ${text}` : undefined
}

function first(list: unknown, check: (one: Json) => string | undefined): string | undefined {
  return (list as Json[]).map(check).find((wrong) => wrong !== undefined)
}
