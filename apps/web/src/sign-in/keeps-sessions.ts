/** Whether this browser lets the site keep a session between two pages. */
export function keepsSessions(): boolean {
  try {
    localStorage.setItem(PROBE, PROBE)
    localStorage.removeItem(PROBE)
    return navigator.cookieEnabled
  } catch {
    return false
  }
}

const PROBE = 'septet-probe'
