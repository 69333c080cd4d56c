/** Why someone stands at the sign-in page who did not ask for it, by the address's `reason`; undefined when they just came. */
export function reasonWords(search: string): string | undefined {
  const reason = new URLSearchParams(search).get('reason')
  return reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined
}

const WORDS: Readonly<Record<string, string>> = {
  ended: 'You were signed out: the session is over or was ended elsewhere. Sign in to go on where you were.',
}
