// expected: holds
// An observer maintains a flag for the focus on a private window.
let isPrivate = false;

browser.windows.onFocusChanged.addListener(async (id) => {
  const window = await browser.windows.get(id);
  isPrivate = window.incognito;
});

browser.runtime.onMessage.addListener((message) => {
  if (!isPrivate) save(message);
});

function save({ field, text }) {
  return browser.storage.local.set({ [field]: text });
}
