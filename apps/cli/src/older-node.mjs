/** Adds what the command line uses of the language and Node 20 does not have. */
export function completeOlderNode() {
  Map.groupBy ??= groupBy
  Promise.withResolvers ??= withResolvers
  if (!('parse' in URL)) URL.parse = (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null)
}

function groupBy(items, keyOf) {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function withResolvers() {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}
