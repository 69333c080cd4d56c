/**
 * Lays out the sections far below one by one while nobody needs the page's time, so that all of it can be found, measured
 * and read as if it had been there from the start.
 */
export function layOutLater(whenIdle: (work: () => void) => void): void {
  const section = document.querySelector('.later')
  if (section === null) return
  whenIdle(() => {
    section.classList.remove('later')
    layOutLater(whenIdle)
  })
}
