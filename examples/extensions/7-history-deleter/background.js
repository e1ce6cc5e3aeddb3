// expected: holds
// Deletes, and stores nothing.
browser.history.onVisited.addListener(async (item) => {
  const { rules = [] } = await browser.storage.local.get("rules");
  for (const rule of rules) {
    if (item.url.includes(rule)) await browser.history.deleteUrl({ url: item.url });
  }
});

browser.windows.onRemoved.addListener(() => browser.storage.local.remove("draft"));
