/** Rows of one kind that say something of a person, columns by name. */
type PersonRows = { readonly kind: string; readonly rows: readonly Readonly<Record<string, unknown>>[] }

/** Whose data: the address, and the account where it is kept here. */
export type Person = { readonly email: string; readonly accountId: string | undefined }

/** What was done to the rows of a person, each a number of rows. */
type Forgotten = { readonly deleted: number; readonly anonymized: number }

/** Everything that is kept of one person, wherever it is kept. */
export type PersonStore = {
  /** Every kind, also those without rows; nothing that opens anything is among it. */
  find(person: Person): Promise<readonly PersonRows[]>
  /** How many audit entries speak of them, and which is the last entry there is. */
  audited(person: Person): Promise<{ readonly entries: number; readonly last: number }>
  /**
   * Deletes what is theirs alone, and puts `as` in the place of their address where it says who did something; of the audit
   * log in the entries up to `last`. All or nothing.
   */
  forget(person: Person, how: { readonly as: string; readonly last: number }): Promise<Forgotten>
}
