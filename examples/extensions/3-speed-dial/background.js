// expected: violated
// The popup asks about private windows, the counter of visits does not.
browser.webNavigation.onCompleted.addListener(async ({ url }) => {
  const { visits = {} } = await browser.storage.local.get("visits");
  visits[url] = (visits[url] ?? 0) + 1;
  await browser.storage.local.set({ visits });
});
