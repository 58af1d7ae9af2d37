// Claim page: a typed reason is kept until the ruling is in, "open all" toggles arguments, a phone starts with them folded.
(() => {
  const draftName = (claim) => `juryflow-draft-${claim}`;
  const isPhone = matchMedia("(max-width: 600px)");

  function prepare(root) {
    const page = root.matches?.("#claim-page") ? root : root.querySelector?.("#claim-page");
    if (!page) return;
    for (const strip of page.querySelectorAll("[data-ruled-claim]")) {
      if (strip.dataset.ruledClaim !== page.dataset.claim) sessionStorage.removeItem(draftName(strip.dataset.ruledClaim));
    }
    const reason = page.querySelector("[data-draft]");
    if (reason && !reason.value) reason.value = sessionStorage.getItem(draftName(reason.dataset.draft)) ?? "";
    for (const button of page.querySelectorAll("[data-open-all]")) button.hidden = false;
    if (isPhone.matches) for (const side of page.querySelectorAll(".argument-side")) side.open = false;
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-draft]")) sessionStorage.setItem(draftName(event.target.dataset.draft), event.target.value);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.matches("[data-draft]")) event.target.blur();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-open-all]");
    if (!button) return;
    const parts = [...document.querySelectorAll(button.dataset.openAll)];
    const areAllOpen = parts.every((part) => part.open);
    for (const part of parts) part.open = !areAllOpen;
  });

  document.addEventListener("htmx:afterSwap", (event) => prepare(event.detail.elt.isConnected ? event.detail.elt : document));
  document.addEventListener("DOMContentLoaded", () => prepare(document));
})();
