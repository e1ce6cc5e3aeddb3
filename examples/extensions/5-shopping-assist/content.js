// expected: violated
// Every page visit is written from the page itself.
const price = document.querySelector("[itemprop=price]");
if (price) {
  const offer = { page: location.href, price: price.textContent };
  localStorage.setItem("last-offer", JSON.stringify(offer));
  fetch("https://compare.example/offers", { method: "POST", body: JSON.stringify(offer) });
}
