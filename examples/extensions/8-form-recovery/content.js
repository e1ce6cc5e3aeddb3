document.addEventListener("change", (event) => {
  browser.runtime.sendMessage({ field: event.target.name, text: event.target.value });
});
