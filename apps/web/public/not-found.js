// Part of the page for unknown paths: leaves the path in the console, where whoever follows a broken link looks.
console.error(`404: no page at ${location.pathname}`)
