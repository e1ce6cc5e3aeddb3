// Adding a page is guarded.
document.getElementById("add").addEventListener("click", async () => {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  if (tab.incognito) return;
  await browser.storage.sync.set({ dial: { url: tab.url, title: tab.title } });
});
