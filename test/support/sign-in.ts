/** What a browser would send back. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Signs somebody in by password at a server that listens, and gives back the cookies. */
export async function signInAt(
  url: string,
  { email, password }: { email: string; password: string },
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`nobody was signed in: ${await response.text()}`)
  return cookieOf(response.headers)
}
