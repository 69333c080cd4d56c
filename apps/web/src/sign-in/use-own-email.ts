import { useEffect, useState } from 'react'

import { openAccountClient } from '../session/auth-client.ts'

/** The address that this browser is signed in with; undefined while that is unknown, or when it is not. */
export function useOwnEmail(): string | undefined {
  const [email, setEmail] = useState<string>()
  useEffect(() => {
    let here = true
    openAccountClient()
      .then(({ client }) => client.getSession())
      .then(({ data }) => here && setEmail(data.session?.user.email))
      .catch(() => undefined)
    return () => {
      here = false
    }
  }, [])
  return email
}
