import { askServer, type Asked } from './ask-server.ts'

/** An operation of the contract, as far as asking it takes. */
type Operation<Answer> = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly output: { readonly parse: (answer: unknown) => Answer }
}

type Of = Pick<Asked, 'token'> & { readonly server: URL }
type Input = Readonly<Record<string, string | boolean | undefined>>

/** Asks an operation of a Septet that runs: what the path names goes there, the rest into the body or the query. Throws as `askServer` does. */
export async function askOperation<Answer>(
  { method, path, output }: Operation<Answer>,
  input: Input,
  { server, token }: Of,
): Promise<Answer> {
  const rest = new Map(Object.entries(input))
  const filled = path.replaceAll(/:(\w+)/gu, (_whole, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const address = new URL(filled, server)
  const hasBody = method === 'PUT' || method === 'POST'
  if (!hasBody) for (const [name, value] of rest) address.searchParams.set(name, String(value))
  const answer = await askServer(address, { token, method, ...(hasBody ? { body: Object.fromEntries(rest) } : {}) })
  return output.parse(await answer.json())
}
