import { parser } from '@prometheus-io/lezer-promql'

/**
 * A query that sees only series with these labels: `matchers` is what stands between the braces of a selector, like
 * `cluster="prod"`, and is put into every selector of the query. Several clusters in one engine then never mix. Throws an
 * `Error` for a query that is none, because it would be asked without its limit.
 */
export function limitQuery(query: string, matchers: string | undefined): string {
  if (matchers === undefined) return query
  const selectors: Braces[] = []
  parser.parse(query).iterate({
    enter: ({ type, name, node }) => {
      if (type.isError) throw new Error(`This is no PromQL, so it cannot be limited to {${matchers}}: ${query}`)
      if (name !== 'VectorSelector') return
      const braces = node.getChild('LabelMatchers')
      selectors.push({ at: braces?.from ?? node.to, has: braces !== null, isEmpty: braces?.firstChild === null })
    },
  })
  let limited = query
  for (const { at, has, isEmpty } of selectors.toReversed()) {
    const words = has ? `{${matchers}${isEmpty ? '' : ','}` : `{${matchers}}`
    limited = limited.slice(0, at) + words + limited.slice(has ? at + 1 : at)
  }
  return limited
}

/** Where the matchers of a selector begin: at its brace, or after its name where it has none. */
type Braces = { readonly at: number; readonly has: boolean; readonly isEmpty: boolean }
