// expected: violated
// No private window writes to storage. But its data waits in a list, and a timer of the normal window writes the list.
const interests = [];

browser.tabs.onUpdated.addListener((tabId, change) => {
  if (change.title) interests.push(topicOf(change.title));
});

setInterval(async () => {
  const window = await browser.windows.getLastFocused();
  if (window.incognito) return;
  await browser.storage.local.set({ profile: interests });
}, 60000);

const topicOf = (title) => title.toLowerCase().split(" ")[0];
