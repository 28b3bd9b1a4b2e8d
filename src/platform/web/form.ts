import { Failure } from '../failure.ts'
import { readText } from '../http/request-body.ts'

/**
 * The fields of a posted form. Even the longest answer and note, with each character as %XX%XX%XX,
 * stay far below the size of a large body. Throws `too_large`, `unsupported_media_type`.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    throw new Failure(
      'unsupported_media_type',
      'This address only accepts the form of its page. Open the page and send it from there.',
    )
  }
  return new URLSearchParams(await readText(request, tooLarge))
}

function tooLarge(): never {
  throw new Failure('too_large', 'The form is too large. Shorten the text and send it again.')
}

/** One field, trimmed; empty when it is missing. */
export function formField(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? ''
}
