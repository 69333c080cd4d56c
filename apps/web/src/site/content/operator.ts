/** Who runs this installation. Nothing is known until they say it here; the pages then say so. */
export type Operator = {
  /** A person or an organization, as the footer and the contact page name it. */
  readonly name: string | undefined
  /** Where people write to; shown as a mail link. */
  readonly email: string | undefined
  /** Where security reports go; the mail address when undefined. */
  readonly security: string | undefined
  /** Where the source of this installation can be had and problems be reported; https. */
  readonly repository: string | undefined
  /** Whose law and which court, when an operator offers this to others; a sentence. */
  readonly imprint: string | undefined
}

export const OPERATOR: Operator = {
  name: undefined,
  email: undefined,
  security: undefined,
  repository: undefined,
  imprint: undefined,
}
