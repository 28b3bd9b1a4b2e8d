/** The password as it is kept: better-auth's scrypt, so that it can check it at sign-in. */
export async function hashPassword(password: string): Promise<string> {
  // Loaded when somebody picks a password, not when the server starts.
  const crypto = await import('better-auth/crypto')
  return await crypto.hashPassword(password)
}
