import { Failure } from '../kernel/failure.ts'
import { readText } from '../kernel/request-body.ts'

// The longest answer and note, each character as %XX%XX%XX, with room for the rest.
const FORM_MAX_BYTES = 64 * 1024

/** The fields of a posted form. Throws `too_large`, `unsupported_media_type`. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    throw new Failure(
      'unsupported_media_type',
      'This address takes the form of its page. Open the page and send it from there.',
    )
  }
  const text = await readText(request)
  if (text.length > FORM_MAX_BYTES) {
    throw new Failure('too_large', 'The form is too large. Shorten the text and send it again.')
  }
  return new URLSearchParams(text)
}

/** One field, trimmed; empty when it is missing. */
export function field(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? ''
}
