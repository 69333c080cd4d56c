import { parseDocument } from 'yaml'

/** What one YAML document holds; of JSON's types alone. Throws an error of one line that says what is wrong and where. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { resolveKnownTags: false })
  // An unknown tag is only a warning, but nobody knows what its value means.
  const [flaw] = [...document.errors, ...document.warnings]
  if (flaw === undefined) return document.toJS()
  // Further lines show the text around it, which of a kubeconfig may be a token.
  const [what = ''] = flaw.message.split('\n')
  throw new Error(what.replace(/:$/u, ''))
}
