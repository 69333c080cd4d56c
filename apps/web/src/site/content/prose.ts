/** One part of a page of text. */
export type ProsePart = {
  readonly title: string
  readonly paragraphs?: readonly string[]
  /** Name and what it is, as a list. */
  readonly rows?: readonly { readonly name: string; readonly text: string }[]
  readonly links?: readonly { readonly label: string; readonly href: string }[]
}

export type Prose = { readonly title: string; readonly lead: string; readonly parts: readonly ProsePart[] }
