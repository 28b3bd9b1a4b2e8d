/** The addresses of a record. `baseUrl` has no slash at the end. */
export function addressesOf(baseUrl: string, slug: string) {
  const page = `${baseUrl}/tools/${slug}`
  return {
    url: page,
    markdownUrl: `${page}.md`,
    slimMarkdownUrl: `${page}.min.md`,
    jsonUrl: `${baseUrl}/api/v1/tools/${slug}.json`,
    pageJsonUrl: `${page}.json`,
  }
}
