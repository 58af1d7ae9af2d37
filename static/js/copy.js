// [data-copy="#id"] copies the text or value of the element and says so; without a clipboard it selects the text.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = "Copied";
  } catch {
    source.select?.();
    button.textContent = "Press Ctrl C";
  }
  setTimeout(() => { button.textContent = words; }, 2000);
});
