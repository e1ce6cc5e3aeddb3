// expected: holds
// Saves sessions for crash recovery. Only normal windows exchange unsaved data, through the session's storage.
browser.tabs.onUpdated.addListener(async (tabId, change, tab) => {
  if (tab.incognito) return;
  await browser.storage.session.set({ [tabId]: tab.url });
});

browser.alarms.onAlarm.addListener(async () => {
  const window = await browser.windows.getLastFocused();
  if (!window.incognito) {
    const tabs = await browser.storage.session.get();
    await browser.storage.local.set({ tabs });
  }
});
