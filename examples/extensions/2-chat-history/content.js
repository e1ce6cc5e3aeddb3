// Tells the background of every message in the chat.
document.addEventListener("chat-message", (event) => {
  const { partner, text } = event.detail;
  browser.runtime.sendMessage({ kind: "said", partner, text, at: Date.now() });
});
