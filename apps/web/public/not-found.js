// Part of the page for unknown paths: leaves the path in the console, where whoever follows a broken link looks.
// oxlint-disable-next-line no-console -- the specification asks for the unknown path in the console
console.error(`404: no page at ${location.pathname}`)
