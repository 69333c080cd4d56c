/** What somebody asks to do, as an API server's authorizer sees it. */
export type Access = {
  readonly verb: string
  readonly group: string
  /** With its subresource: `pods/eviction`. */
  readonly resource: string
  /** Undefined: in the whole cluster, or of no namespace. */
  readonly namespace: string | undefined
  readonly name: string | undefined
}
