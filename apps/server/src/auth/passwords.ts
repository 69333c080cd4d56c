/** Hashes and checks passwords, a few at a time. */
export type Passwords = {
  hash(password: string): Promise<string>
  /** Does the same work, and says no, when there is no hash to check against: timing tells nothing. */
  matches(hash: string | undefined, password: string): Promise<boolean>
}
