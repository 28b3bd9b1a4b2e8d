const text = (description: string, pattern: string, example: string) => ({
  description,
  schema: { type: 'string', pattern },
  example,
})

const always = <T extends object>(header: T) => ({ ...header, required: true })

/** Response headers; those about limits appear only where there are limits. */
export const HEADERS = {
  ETag: always(
    text('Of these bytes in this coding; for `If-None-Match`.', '^"[^"]+"$', '"3f9a-gzip"'),
  ),
  'Cache-Control': always(
    text('How long it may be kept, in seconds.', '^(public, max-age=\\d+.*|no-store)$', 'no-store'),
  ),
  Vary: always(text('There is one for each coding.', '^Accept-Encoding$', 'Accept-Encoding')),
  Location: always(
    text('The address under the new name.', '^https?://', 'https://example.com/tools/a'),
  ),
  Link: text('The next page.', '^<[^>]+>; rel="next"$', '<https://example.com/next>; rel="next"'),
  RateLimit: text(
    'What is left (`r`) and in how many seconds all is (`t`).',
    '^"[a-z]+";r=\\d+;t=\\d+$',
    '"documents";r=1199;t=1',
  ),
  'RateLimit-Policy': text(
    'How many (`q`) in how many seconds (`w`).',
    '^"[a-z]+";q=\\d+;w=\\d+$',
    '"documents";q=1200;w=12',
  ),
  'Retry-After': {
    description: 'Seconds after which trying again makes sense.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
}

export type HeaderName = keyof typeof HEADERS

/** References to the headers in the components. */
export function headersOf(...names: HeaderName[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/Catalog${name}` }]),
  )
}
