// Before the first paint, so that a chosen theme does not flash the other one. Without it the system decides.
try {
  const theme = localStorage.getItem('septet-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
