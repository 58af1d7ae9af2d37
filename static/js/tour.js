// The tour of the first claim: call-outs stand in their places until Esc or "Got it"; the browser remembers the end.
(() => {
  const ENDED = "juryflow-tour-ended";
  const callouts = () => document.querySelectorAll("[data-callout]");

  function end() {
    for (const callout of callouts()) callout.remove();
    localStorage.setItem(ENDED, "yes");
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (localStorage.getItem(ENDED)) end();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && callouts().length) end();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-end-tour]")) end();
  });
})();
