import { askServer, type ServerAnswer } from './ask-server.ts'

/** An operation of the contract, as far as asking it takes. */
type Address = { readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'; readonly path: string }
type Operation<Answer> = Address & { readonly output: { readonly parse: (answer: unknown) => Answer } }

type Of = Pick<ServerAnswer, 'token'> & { readonly server: URL }
type Input = Readonly<Record<string, unknown>>

/** Asks an operation of a Septet that runs, and checks its answer. Throws as `askServer` does. */
export const askOperation = async <Answer>(operation: Operation<Answer>, input: Input, of: Of): Promise<Answer> =>
  operation.output.parse(await requestOperation(operation, input, of))

/**
 * The answer as it came: a newer Septet may say more than this program knows. What the path names goes there, the rest
 * into the body or the query. Throws as `askServer` does.
 */
export async function requestOperation(
  { method, path }: Address,
  input: Input,
  { server, token }: Of,
): Promise<unknown> {
  const rest = new Map(Object.entries(input))
  const filled = path.replaceAll(/:(\w+)/gu, (_whole, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const address = new URL(filled, server)
  const hasBody = method === 'PUT' || method === 'POST'
  if (!hasBody) for (const [name, value] of rest) address.searchParams.set(name, String(value))
  const body = hasBody ? { body: Object.fromEntries(rest) } : {}
  const { content } = await askServer(address, { token, method, ...body })
  return JSON.parse(String(content))
}
