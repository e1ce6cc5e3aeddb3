// expected: violated
// Stores data from the content script without checking its window.
browser.runtime.onMessage.addListener((message) => {
  if (message.kind === "said") keep(message);
});

async function keep({ partner, text, at }) {
  const { chats = {} } = await browser.storage.local.get("chats");
  chats[partner] = [...(chats[partner] ?? []), { text, at }];
  await browser.storage.local.set({ chats });
}
