import { z } from 'zod'
import type { ApiClient, ApiQuery } from './api-client.ts'
import { NotKubernetesError, TooLargeError } from './api-error.ts'

/** Objects asked for at once. */
const PAGE_SIZE = 500

/**
 * Lists a resource page by page and hands each object over as it comes, so that only one page is ever held.
 * A page that is too large is asked for again with fewer objects. Returns the resource version of the list.
 */
export async function listPages(options: {
  readonly client: ApiClient
  readonly path: string
  readonly query: ApiQuery
  readonly signal: AbortSignal
  readonly accept?: string
  readonly onItem: (item: unknown) => void
}): Promise<string> {
  let limit = PAGE_SIZE
  let next = ''
  let resourceVersion = ''
  do {
    const query = { ...options.query, limit: String(limit), ...(next === '' ? {} : { continue: next }) }
    try {
      const page = readPage(await options.client.get(options.path, { ...options, query }), options.path)
      page.items.forEach(options.onItem)
      next = page.metadata.continue ?? ''
      resourceVersion = page.metadata.resourceVersion
    } catch (error) {
      if (!(error instanceof TooLargeError) || limit === 1) throw error
      limit = Math.ceil(limit / 8)
    }
  } while (next !== '' || resourceVersion === '')
  return resourceVersion
}

const PageSchema = z.object({
  metadata: z.object({ resourceVersion: z.string().min(1), continue: z.string().nullish() }),
  items: z
    .array(z.unknown())
    .nullish()
    .transform((items) => items ?? []),
})

function readPage(body: unknown, path: string): z.infer<typeof PageSchema> {
  const page = PageSchema.safeParse(body)
  if (page.success) return page.data
  throw new NotKubernetesError(`the answer to ${path} is not a Kubernetes list`)
}
