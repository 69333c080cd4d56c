import { AccessRefused, type TokenReviewer } from '@septet/domain'
import { z } from 'zod'

import { openApiClient } from '../connect/api-client.ts'
import { ApiError } from '../connect/api-error.ts'
import { loadCredentials, type ClusterAddress } from '../connect/credentials.ts'
import { DEFAULT_TIMING } from '../connect/timing.ts'

const PATH = '/apis/authentication.k8s.io/v1/tokenreviews'
/** Anyone who signs in is waiting, milliseconds. */
const RESPONSE_MS = 5000

const Reviewed = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    user: z.object({ username: z.string().default('') }).prefault({}),
    audiences: z.array(z.string()).default([]),
  }),
})

/** Needs the right to create TokenReviews and no other. Throws a `ConnectError` when the credentials cannot be used. */
export function openTokenReviewer(kubeconfig: ClusterAddress): TokenReviewer {
  const client = openApiClient({
    load: () => loadCredentials(kubeconfig),
    timing: { ...DEFAULT_TIMING, response: RESPONSE_MS },
    heard: () => undefined,
  })
  const ask = (token: string, audience: string): Promise<unknown> =>
    client.post(PATH, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, audiences: [audience] },
    })
  return {
    async review(token, audience) {
      const answer = await ask(token, audience).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 401) throw refusal(error)
        // Septet's own token may have been renewed since it was read.
        client.reload()
        return ask(token, audience).catch((again: unknown) => {
          throw refusal(again)
        })
      })
      const { authenticated, user, audiences } = Reviewed.parse(answer).status
      // A server that knows no audiences names none: then the token may be for anybody.
      return authenticated && user.username !== '' && audiences.includes(audience) ? user.username : undefined
    },
    close: () => client.close(),
  }
}

const refusal = (error: unknown): unknown =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
    ? new AccessRefused(error.message, { cause: error })
    : error
