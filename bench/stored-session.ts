const ACCOUNT = { email: 'admin@septet.local', password: 'a long enough password' }

/** Signs in at a fresh Septet; what the page keeps of a session, to be put where it looks for it. */
export async function storedSession(url: string): Promise<{ readonly key: string; readonly value: string }> {
  const post = (path: string): Promise<Response> =>
    fetch(`${url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    })
  // One that is there already is not an error: the sign-in tells.
  await (await post('signup')).arrayBuffer()
  const answer = await post('token?grant_type=password')
  const value = await answer.text()
  if (!answer.ok) throw new Error(`could not sign in as ${ACCOUNT.email}: ${answer.status} ${value}`)
  return { key: 'septet-auth', value }
}
