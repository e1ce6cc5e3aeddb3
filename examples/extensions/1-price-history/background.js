// expected: violated
// Stores viewed products, including products viewed in private windows.
browser.tabs.onUpdated.addListener(async (tabId, change, tab) => {
  if (!change.url || !isShop(change.url)) return;
  const { products = [] } = await browser.storage.local.get("products");
  products.push({ url: tab.url, title: tab.title, seen: Date.now() });
  await browser.storage.local.set({ products });
});

function isShop(url) {
  return /shop|store|amazon/.test(url);
}
