// expected: holds
// Text in forms is kept for crash recovery, but not in private windows.
document.addEventListener("input", (event) => {
  if (browser.extension.inIncognitoContext) return;
  const { name, value } = event.target;
  browser.storage.local.set({ [`form:${location.host}:${name}`]: value });
});
