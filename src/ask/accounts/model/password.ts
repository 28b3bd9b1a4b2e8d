/** Hashes the password with better-auth's scrypt, so that it can be checked at sign-in. */
export async function hashPassword(password: string): Promise<string> {
  // Loaded when somebody chooses a password, not when the server starts.
  const crypto = await import('better-auth/crypto')
  return await crypto.hashPassword(password)
}
